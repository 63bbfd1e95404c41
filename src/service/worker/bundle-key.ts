/** What the keys of all bundles begin with. */
export const bundlesPrefix = "static-exports/";

/** Where the bundle of one attempt is kept: no other attempt ever writes there. */
export const bundleKey = (jobId: string, fence: number): string => `${bundlesPrefix}${jobId}/${fence}/bundle.tar.gz`;
