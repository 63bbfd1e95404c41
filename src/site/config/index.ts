/**
 * In:  the files of a site.
 * Out: `SiteConfig`, the settings of docs.json (or mint.json) with every default filled in, and a diagnostic with its
 *      location for everything in it that is invalid.
 */
export { configDefaults, noSpecs, partDefaults } from "./defaults.js";
export { loadConfig } from "./load-config.js";
export { languageCodes } from "./read-navigation.js";
export { socialNetworks } from "./read-page-frame.js";
export { pageContextual } from "./read-page-settings.js";
export type * from "./site-config.js";
export { readMintJson } from "./upgrade-mint-json.js";
export { filesOfPair } from "./values.js";
