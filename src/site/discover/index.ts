/**
 * In:  the settings (`SiteConfig`) and the files of the site.
 * Out: the plan of the export (`Site`): every page with its address, position in the navigation and visibility, the
 *      navigation as sections and sidebars, and the use of every other file; and a diagnostic for every fault.
 */
export type * from "../site.js";
export { parseEndpoint } from "./api/parse-reference.js";
export { type DiscoverOptions, discoverSite } from "./discover-site.js";
export { ownTexts } from "./page-facts.js";
export { type FileScan, hasSamePlan, type ScanStore, scanFile, sortFiles } from "./scan-pages.js";
export { namesParts } from "./scan-source.js";
