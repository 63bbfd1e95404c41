/**
 * In:  what clients ask for and workers report.
 * Out: jobs, organizations, sites and keys, kept in SQLite or PostgreSQL behind the same interfaces.
 */
export type * from "./account.js";
export type { ApiKey, NewApiKey, Project, Scope, SiteSource } from "./account.js";
export { type AccountStore, DomainTakenError } from "./account-store.js";
export { domainFault } from "./domain.js";
export { type Bundle, isFinished, type Job, type JobStatus, type NewJob } from "./job.js";
export type * from "./job-store.js";
export type { Delivery, IdempotencyKey, JobCounts, JobRules, JobStore, Lease } from "./job-store.js";
export { jobRuleDefaults } from "./job-store.js";
export { openPostgresState, type PostgresStateOptions } from "./postgres/open-postgres-state.js";
export { openSqliteState, type SqliteStateOptions } from "./sqlite/open-sqlite-state.js";
export type { State } from "./state.js";
