/** A content-addressed cache in a folder; entries unused for 30 days are removed. */
export type { Cache } from "./cache.js";
export { type CacheUse, cacheUse, clearCache, pagesName } from "./cache-use.js";
export { isDraft, readChecked, readCheckedLines, writeChecked, writeCheckedLines } from "./checked-file.js";
export { compactPacks } from "./compact-packs.js";
export { openFolderCache, pruneCache } from "./folder-cache.js";
export { openPackedCache } from "./packed-cache.js";
export { createPackReader, createPackWriter, isPackName, type PackPlace, type PackReader } from "./packs.js";
export { markUsed, pruneUnused } from "./prune-unused.js";
export type { RemoteObject, RemoteStore } from "./remote-store.js";
export { type SharedFolderOptions, shareFolder } from "./shared-folder.js";
