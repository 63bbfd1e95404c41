/**
 * In:  the folder of a site.
 * Out: its bundle, as a folder, in memory, as an archive; and everything that is wrong with the site.
 */

export { keepsChangingCode } from "./changing-source.js";
export type {
  AnalyticsOptions,
  AssistantOptions,
  CheckOptions,
  Deployment,
  ExportOptions,
  ExportPhase,
  ExportProgress,
} from "./export-options.js";
export type {
  CheckResult,
  ExportFailure,
  ExportResult,
  ExportResultWith,
  ExportSuccess,
  SiteReport,
} from "./export-result.js";
export { exportShard } from "./export-shard.js";
export { checkSite, exportSite } from "./export-site.js";
export { type LoadedSite, type LoadOptions, loadSite } from "./load-site.js";
export type { ModelTask } from "./model-pages.js";
export type { OutsideWorld } from "./outside-world.js";
export type { PagePart, PageParts } from "./page-part.js";
export type { PageResult } from "./page-result.js";
export type { PageTask } from "./page-thread-data.js";
export { runExport } from "./run-export.js";
export { runShard } from "./run-shard.js";
export { InvalidOption } from "./service-address.js";
export type { SessionPlan } from "./session-plan.js";
export type { Shard, ShardOptions, ShardResult } from "./shard-options.js";
export { openSiteSession, type SiteChange, type SiteSession } from "./site-session.js";
export { storeFolderOf } from "./store-folder.js";
export { tuneProcess } from "./tune-process.js";
