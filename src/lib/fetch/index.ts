/**
 * In:  an address that a site, a client or an operator names.
 * Out: the text that stands there, or the file, or why it was not fetched. The only door to the network: https alone,
 *      public hosts alone (private ones where the operator allows them), with limits of size and time.
 */
export {
  type DownloadOutcome,
  type GuardedDownloadOptions,
  guardedDownload,
  guardedDownloadDefaults,
} from "./guarded-download.js";
export { type FetchOutcome, type GuardedFetchOptions, guardedFetch } from "./guarded-fetch.js";
export type { Network } from "./network.js";
