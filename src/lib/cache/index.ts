/** A content-addressed cache in a folder; entries unused for 30 days are removed. */

export { isDraft, readChecked, readCheckedLines, writeChecked, writeCheckedLines } from "./checked-file.js";
export type { Cache } from "./folder-cache.js";
export {
  type CacheUse,
  cacheUse,
  clearCache,
  compiledName,
  openFolderCache,
  pagesName,
  pruneCache,
} from "./folder-cache.js";
export { openPackedCache } from "./packed-cache.js";
export {
  compactPacks,
  createPackReader,
  createPackWriter,
  isPackName,
  type PackPlace,
  type PackReader,
} from "./packs.js";
export { markUsed, maxUnusedMs, pruneUnused } from "./prune-unused.js";
export { type RemoteObject, type RemoteStore, type SharedFolderOptions, shareFolder } from "./shared-folder.js";
