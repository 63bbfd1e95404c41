/**
 * In:  the folder of a site.
 * Out: its bundle, as a folder, in memory, as an archive; and everything that is wrong with the site.
 */

export {
  type AnalyticsOptions,
  type AssistantOptions,
  type CheckOptions,
  type CheckResult,
  type Deployment,
  type ExportFailure,
  type ExportOptions,
  type ExportPhase,
  type ExportProgress,
  type ExportResult,
  type ExportResultWith,
  type ExportSuccess,
  InvalidOption,
  type QuestionModel,
  type QuestionUsage,
  type Shard,
  type ShardOptions,
  type ShardResult,
  type SiteReport,
} from "./export-options.js";
export type { ModelTask } from "./pages/api-pages.js";
export type { PageResult, PageTask } from "./pages/thread-messages.js";
export { keepsChangingCode } from "./run/changing-source.js";
export { type LoadedSite, type LoadOptions, loadSite } from "./run/read-site.js";
export { exportShard, runShard } from "./run/run-shard.js";
export { openSiteSession, type SessionPlan, type SiteChange, type SiteSession } from "./run/site-session.js";
export type { ExportEnvironment, PagePart } from "./run/start-run.js";
export { checkSite, exportSite, runExport } from "./run-export.js";

export { isOfMachine, storeFolderOf } from "./store/page-index.js";
export { openSourceFolder } from "./store/source-files.js";
export { tuneProcess } from "./tune-process.js";
