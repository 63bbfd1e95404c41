/**
 * In:  what is known of requests to the pages of a site: by a server, a beacon, or in logs.
 * Out: who read, people or which agents, summed up for the store of views.
 */

export { type CollectOutcome, type Collector, openCollector } from "./collector.js";
export { openViewCounter, type ViewCounter, type ViewCounterDeps } from "./counter.js";
export { createDaySalts, type DaySalts, visitorHash } from "./day-salts.js";
export { type ImportDeps, type ImportSummary, importLogs, LogsRefused } from "./logs/import-logs.js";
export type { LogFormat } from "./logs/log-formats.js";
export { createSitePages, pagesOf, type SitePages } from "./site-pages.js";
export { AgentRangesError, readAgentRanges } from "./user-agent-ranges.js";
export type { CountedSite, Way } from "./view-tally.js";
export {
  type CountOutcome,
  createViewTally,
  type SitePath,
  sitePathOf,
  type TallyDeps,
  type ViewTally,
} from "./view-tally.js";
export {
  type KindName,
  type KindRule,
  kindNames,
  kindOf,
  rulesVersion,
  type Visit,
  visitHeaders,
} from "./visit-kind.js";
