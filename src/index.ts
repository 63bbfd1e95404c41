/**
 * Offprint as a library: exports and checks documentation sites. Everything here is public, and nothing else is.
 *
 * Paths in options may be relative to the working directory; paths in results are absolute. Mistakes in a site are returned
 * as diagnostics; failures of the environment and invalid options are thrown.
 */
import "./lib/require-node.js";

export {
  type ArchiveResult,
  type BundleFile,
  createArchive,
  type Manifest,
  type ManifestScope,
  OutputNotOursError,
} from "./bundle/archive/index.js";
export {
  type AnalyticsOptions,
  type AssistantOptions,
  type CheckOptions,
  type CheckResult,
  checkSite,
  type Deployment,
  type ExportFailure,
  type ExportOptions,
  type ExportPhase,
  type ExportProgress,
  type ExportResult,
  type ExportResultWith,
  type ExportSuccess,
  exportShard,
  exportSite,
  InvalidOption,
  type LoadedSite,
  type LoadOptions,
  loadSite,
  type QuestionModel,
  type QuestionUsage,
  type Shard,
  type ShardOptions,
  type ShardResult,
  type SiteReport,
} from "./export/index.js";
export type { RemoteObject, RemoteStore } from "./lib/cache/index.js";
export {
  type Diagnostic,
  type DiagnosticStyle,
  type Edit,
  formatDiagnostic,
  type Location,
  type RelatedPlace,
} from "./lib/diagnostic/index.js";
export type { ExternalUse } from "./page/render/index.js";
export { repairSite, writeRepair } from "./repair/repair-site.js";
export type { ChangedFile, Proposal, Repair, RepairOptions, WrittenRepair } from "./repair/repair-types.js";

export type { LoadedKind } from "./site/links/index.js";
export type { Site } from "./site/site.js";
export type { SiteFiles } from "./site/source/index.js";
export type { FetchText } from "./site/specs/index.js";
