/** A content-addressed cache in a folder; entries unused for 30 days are removed. */
export type { Cache } from "./cache.js";
export { openFolderCache, pruneCache } from "./folder-cache.js";
export { markUsed, pruneUnused } from "./prune-unused.js";
