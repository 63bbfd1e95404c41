/**
 * In:  the folder of a site.
 * Out: its bundle: a folder, an archive, or both; and everything that is wrong with the site.
 */
export type { Deployment, ExportOptions, ExportPhase, ExportProgress, ExportResult } from "./export-options.js";
export { exportSite } from "./export-site.js";
export { type LoadedSite, type LoadOptions, loadSite } from "./load-site.js";
export { tuneProcess } from "./tune-process.js";
