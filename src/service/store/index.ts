/**
 * In:  finished archives.
 * Out: the same bytes behind links that expire, from a folder or an S3 bucket (`s3-store.ts`, which only those who use
 *      it are to wait for).
 */
export { type FolderStore, type FolderStoreOptions, openFolderStore } from "./folder-store.js";
export { openLinkSecret } from "./link-secret.js";
export { ObjectMissingError, type ObjectStore, type SignedLink } from "./object-store.js";
export { type S3StoreOptions, s3OptionsFromEnvironment } from "./s3-options.js";
