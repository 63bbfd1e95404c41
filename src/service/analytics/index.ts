/**
 * In:  requests to the pages of a site, as a server, a beacon or a log knows them.
 * Out: who read: people or which agents, summed up for the store of views.
 */
export * from "./collector.js";
export * from "./counter.js";
export * from "./logs/import-logs.js";
export type { LogFormat } from "./logs/log-formats.js";
export * from "./site-pages.js";
export * from "./user-agent-ranges.js";
export * from "./view-tally.js";
export * from "./visit-kind.js";
