/** A content-addressed cache in a folder; entries unused for 30 days are removed. */

export { isDraft, readChecked, readCheckedLines, writeChecked, writeCheckedLines } from "./checked-file.js";
export {
  type Cache,
  cacheUse,
  clearCache,
  compiledName,
  markUsed,
  maxUnusedMs,
  openFolderCache,
  pagesName,
  pruneCache,
  pruneUnused,
} from "./folder-cache.js";

export { openPackedCache } from "./packed-cache.js";
export { compactPacks, createPackReader, createPackWriter, isPackName, type PackPlace } from "./packs.js";

export { type RemoteObject, type RemoteStore, shareFolder } from "./shared-folder.js";
