/**
 * In:  what is known of requests to the pages of a site: by a server, a beacon, or in logs.
 * Out: who read, people or which agents, summed up for the store of views.
 */
export type { CountedSite, Way } from "./counted-site.js";
export { openViewCounter, type ViewCounter, type ViewCounterDeps } from "./counter.js";
export { createDaySalts, type DaySalts, visitorHash } from "./day-salts.js";
export { type KindName, kindNames, type Visit, visitHeaders } from "./kind.js";
export { kindOf, rulesVersion } from "./kind-of.js";
export { type SitePath, sitePathOf } from "./site-path.js";
export { type CountOutcome, createViewTally, type TallyDeps, type ViewTally } from "./view-tally.js";
