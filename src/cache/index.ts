/** Cache: a folder in, a content-addressed `Cache` out. Knows nothing of pages. */
export { openFolderCache } from "./folder-cache.js";
