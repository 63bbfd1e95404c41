/**
 * In:  finished archives.
 * Out: the same bytes behind links that expire, from a folder or an S3 bucket.
 */
export { type FolderStore, type FolderStoreOptions, openFolderStore } from "./folder-store.js";
export { openLinkSecret } from "./link-secret.js";
export { ObjectMissingError, type ObjectStore, type SignedLink } from "./object-store.js";
export { type S3StoreOptions, s3OptionsFromEnvironment } from "./s3-options.js";

import type { ObjectStore } from "./object-store.js";
import type { S3StoreOptions } from "./s3-options.js";

/** Loads the S3 client, which only those who use it are to wait for. */
export async function openS3Store(options: S3StoreOptions): Promise<ObjectStore> {
  return (await import("./s3-store.js")).openS3Store(options);
}
