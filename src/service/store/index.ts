/**
 * In:  finished archives.
 * Out: expiring links to the same bytes, from a folder or an S3 bucket. `s3-store.ts` is imported on demand, since it
 *      is slow to load.
 */

export { type FolderStore, type FolderStoreOptions, openFolderStore } from "./folder-store.js";
export {
  bundleKey,
  bundlesPrefix,
  diagnosticsKey,
  indexKey,
  ObjectMissingError,
  type ObjectStore,
  type SignedLink,
} from "./object-store.js";
export { type S3StoreOptions, s3OptionsFromEnvironment } from "./s3-options.js";
export { cachePrefix, projectCachePrefix, pruneCacheObjects, remoteStoreOf } from "./shared-cache.js";
export { createSecretFile, linkSecretFile, openLinkSecret } from "./signed-links.js";
