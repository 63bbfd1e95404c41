/** Offprint as a library: exports and checks sites. Everything here is public, and nothing else is. */
export {
  type ArchiveResult,
  type BundleFile,
  createArchive,
  type Manifest,
  OutputNotOursError,
} from "./bundle/archive/index.js";
export {
  type Deployment,
  type ExportOptions,
  type ExportPhase,
  type ExportProgress,
  type ExportResult,
  exportSite,
  type LoadedSite,
  type LoadOptions,
  loadSite,
} from "./export/index.js";
export { type Diagnostic, formatDiagnostic, type Location } from "./lib/diagnostic/index.js";
export type { ExternalUse } from "./page/render/index.js";
export type { Site } from "./site/site.js";
