/**
 * In:  finished archives.
 * Out: expiring links to the same bytes, from a folder or an S3 bucket. `s3-store.ts` is imported on demand, since it
 *      is slow to load.
 */

export * from "./cache-objects.js";
export * from "./folder-store.js";
export * from "./object-store.js";
export * from "./s3-bucket.js";
export * from "./serve-object.js";
