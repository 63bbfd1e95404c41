/**
 * In:  a folder on disk.
 * Out: `SiteFiles`, the files of the site in it: without ignored files and without anything outside the folder; and a
 *      diagnostic for each entry that cannot be part of a site.
 */
export { ignoreTest } from "./ignore-rules.js";
export { openFolder } from "./open-folder.js";
export type { FileTexts, SiteFiles } from "./site-files.js";
export { invalidUtf8, longestKeptText, openListedFolder } from "./site-files.js";
