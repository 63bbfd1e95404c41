/** Offprint as a library: everything here is public, and nothing else is. */

export type { BundleFile } from "./archive/index.js";
export { type ArchiveResult, createArchive, type Manifest, OutputNotOursError } from "./archive/index.js";
export type { Diagnostic, Place } from "./diagnostic/index.js";
export type { Site } from "./discover/index.js";
export type { Deployment, ExportOptions, ExportPhase, ExportProgress, ExportResult } from "./export-options.js";
export { type LoadedSite, type LoadOptions, loadSite } from "./load-site.js";
export { exportSite } from "./pipeline.js";
export type { ExternalUse } from "./render/rendered-page.js";
