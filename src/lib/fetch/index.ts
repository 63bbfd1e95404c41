/**
 * Fetches texts and files from addresses that a site, a client or an operator names. All requests to the network go through
 * this folder: only https, only public hosts (private ones if the operator allows them), limited in size and time.
 */

export {
  type DownloadOutcome,
  type GuardedDownloadOptions,
  guardedDownload,
  guardedStream,
} from "./guarded-download.js";
export { type BytesOutcome, type FetchOutcome, guardedBytes, guardedFetch } from "./guarded-fetch.js";
export { Connections } from "./guarded-request.js";

export { checkTarget, isPublicAddress, type Network, Refusal, realNetwork, type Target } from "./target.js";
