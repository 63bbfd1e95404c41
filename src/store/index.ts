/**
 * In:  finished archives.
 * Out: the same bytes behind links that expire, from a folder or an S3 bucket.
 */
export type { ObjectStore, SignedLink } from "./object-store.js";
