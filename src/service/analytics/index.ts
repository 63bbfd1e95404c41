/**
 * In:  what is known of requests to the pages of a site: by a server, a beacon, or in logs.
 * Out: who read, people or which agents, summed up for the store of views.
 */
export { AgentRangesError, readAgentRanges } from "./agent-ranges.js";
export { type CollectOutcome, type Collector, openCollector } from "./collector.js";
export type { CountedSite, Way } from "./counted-site.js";
export { openViewCounter, type ViewCounter, type ViewCounterDeps } from "./counter.js";
export { createDaySalts, type DaySalts, visitorHash } from "./day-salts.js";
export { type ImportDeps, type ImportSummary, importLogs, LogsRefused } from "./import/import-logs.js";
export { type KindName, kindNames, type Visit, visitHeaders } from "./kind.js";
export { type KindRule, kindOf, rulesVersion } from "./kind-of.js";
export type { LogFormat } from "./logs/log-entry.js";
export { createSitePages, pagesOf, type SitePages } from "./site-pages.js";
export { type SitePath, sitePathOf } from "./site-path.js";
export { type CountOutcome, createViewTally, type TallyDeps, type ViewTally } from "./view-tally.js";
