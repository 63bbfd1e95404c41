/**
 * In:  requests of clients, progress of workers.
 * Out: the service's state, stored in SQLite or PostgreSQL behind the same interfaces.
 */
export * from "./accounts/account-store.js";
export type { ApiKey, CreatedKey, NewApiKey, Scope } from "./accounts/api-keys.js";
export type { Failures } from "./accounts/counted-uses.js";
export type * from "./accounts/credential-store.js";
export { DatabaseUnreachableError, postgresSchemaVersion } from "./database/postgres-database.js";
export { cursorOf, isCursor, positionOf } from "./database/rows.js";
export { latestVersion } from "./database/schema.js";
export { sqliteSchemaVersion } from "./database/sqlite-database.js";
export type * from "./erasures/erasure.js";
export type { ErasureStore } from "./erasures/erasure-store.js";
export * from "./people/person.js";
export type * from "./queue/agent-job.js";
export type { AgentStore } from "./queue/agent-store.js";
export * from "./queue/job.js";
export * from "./queue/job.js";
export type { JobStore } from "./queue/job-store.js";
export type * from "./queue/shard-store.js";
export * from "./state.js";
export type * from "./threads/thread-store.js";
export { dayMs, dayOf } from "./views/close-days.js";
export type * from "./views/view-counts.js";
export type { ViewStore } from "./views/view-store.js";
