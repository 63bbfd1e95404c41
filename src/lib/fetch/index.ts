/**
 * Fetches texts and files from addresses that a site, a client or an operator names. All requests to the network go
 * through here: only https, only public hosts (private ones where the operator allows them), limited in size and time.
 */

export { Connections } from "./connections.js";
export {
  type DownloadOutcome,
  type GuardedDownloadOptions,
  guardedDownload,
  guardedDownloadDefaults,
} from "./guarded-download.js";
export {
  type BytesOutcome,
  type FetchOutcome,
  type GuardedFetchOptions,
  guardedBytes,
  guardedFetch,
} from "./guarded-fetch.js";
export { type GuardedStreamOptions, guardedStream } from "./guarded-stream.js";
export { checkTarget, isPublicAddress, type Network, Refusal, realNetwork, type Target } from "./target.js";
