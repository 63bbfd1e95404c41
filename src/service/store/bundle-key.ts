/** Prefix of all bundles' keys. */
export const bundlesPrefix = "static-exports/";

/** Key of one attempt's bundle. No other attempt writes to it. */
export const bundleKey = (jobId: string, fence: number): string => `${bundlesPrefix}${jobId}/${fence}/bundle.tar.gz`;

/** Key of the index of one attempt's bundle, from which the assistant answers. */
export const indexKey = (jobId: string, fence: number): string => `${bundlesPrefix}${jobId}/${fence}/index`;

/** Key of the diagnostics of one attempt, as JSON lines. */
export const diagnosticsKey = (jobId: string, fence: number): string =>
  `${bundlesPrefix}${jobId}/${fence}/diagnostics.jsonl`;
