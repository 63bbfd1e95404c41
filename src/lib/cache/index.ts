/** Cache: a folder in, a content-addressed `Cache` out. Knows nothing of pages. What is not used for a month goes. */
export type { Cache } from "./cache.js";
export { openFolderCache, pruneCache } from "./folder-cache.js";
export { markUsed, pruneUnused } from "./prune-unused.js";
