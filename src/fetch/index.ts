/**
 * In:  an address that a site names.
 * Out: the text that stands there, or why it was not fetched. The only door to the network: https alone, public hosts
 *      alone, with limits of size and time.
 */
export { type FetchOutcome, type GuardedFetchOptions, guardedFetch, type Network } from "./guarded-fetch.js";
