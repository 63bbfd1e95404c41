/**
 * In:  the files of a site.
 * Out: `SiteConfig`, what docs.json (or mint.json) says with every default filled in, and a diagnostic at its place for
 *      everything in it that cannot be meant.
 */
export { configDefaults } from "./defaults.js";
export { type LoadedConfig, loadConfig } from "./load-config.js";
export type * from "./site-config.js";
