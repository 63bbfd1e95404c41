/**
 * In:  the folder of a site.
 * Out: its bundle, as a folder, in memory, as an archive; and everything that is wrong with the site.
 */

export type {
  AnalyticsOptions,
  AssistantOptions,
  CheckOptions,
  CheckResult,
  Deployment,
  ExportFailure,
  ExportOptions,
  ExportPhase,
  ExportProgress,
  ExportResult,
  ExportResultWith,
  ExportSuccess,
  PagePart,
  PageParts,
  Shard,
  ShardOptions,
  ShardResult,
  SiteReport,
} from "./export-options.js";
export { checkSite, exportShard, exportSite } from "./export-site.js";
export type { ModelTask } from "./pages/api-pages.js";
export type { PageResult, PageTask } from "./pages/thread-messages.js";
export { keepsChangingCode } from "./run/changing-source.js";
export { type LoadedSite, type LoadOptions, loadSite } from "./run/load-site.js";
export type { OutsideWorld } from "./run/outside-world.js";
export { InvalidOption } from "./run/resolve-options.js";
export { runShard } from "./run/run-shard.js";
export type { SessionPlan } from "./run/session-plan.js";
export { openSiteSession, type SiteChange, type SiteSession } from "./run/site-session.js";
export { runExport } from "./run-export.js";
export { storeFolderOf } from "./store/page-index.js";
export { tuneProcess } from "./tune-process.js";
