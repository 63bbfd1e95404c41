/** Cache: a folder in, a content-addressed `Cache` out. Knows nothing of pages. What is not used for a month goes. */
export type { Cache } from "./cache.js";
export { forgetUnusedEntries, openFolderCache } from "./folder-cache.js";
export { forgetUnused, markUsed } from "./forget-unused.js";
