/**
 * In:  requests of clients, progress of workers.
 * Out: jobs, organizations, projects and keys, stored in SQLite or PostgreSQL behind the same interfaces.
 */
export type { ApiKey, Counting, NewApiKey, Organization, Project, Scope, SiteSource } from "./account.js";
export {
  type AccountStore,
  type BucketUses,
  type CreatedKey,
  DomainTakenError,
  type Failures,
  type Use,
} from "./account-store.js";
export type {
  AgentEvent,
  AgentEvents,
  AgentJob,
  AgentJobList,
  AgentJobPage,
  AgentMessage,
  AgentMode,
  AgentResult,
  AgentRun,
  AgentStarted,
  AgentStatus,
  AgentStore,
  NewAgentJob,
} from "./agent-store.js";
export type { CredentialKind, CredentialStore, Secret, StoredCredential } from "./credential-store.js";
export { cursorOf, isCursor, positionOf } from "./cursor.js";
export { domainFault } from "./domain.js";
export type {
  ErasedObjects,
  Erasure,
  ErasureRefusal,
  ErasureStore,
  ErasureTarget,
  ErasureWork,
} from "./erasure-store.js";
export { type Bundle, isFinished, type Job, type JobReport, type JobStatus, type LogLine, type NewJob } from "./job.js";
export type { Delivery, IdempotencyKey, JobCounts, JobRules, JobStore, Lease, WorkerState } from "./job-store.js";
export { jobRuleDefaults } from "./job-store.js";
export {
  type Actor,
  type AuditEntry,
  type AuditVerdict,
  type Invite,
  includesRole,
  type Member,
  type Membership,
  type Person,
  type Role,
  roles,
  type Session,
} from "./person.js";
export type { PersonStore } from "./person-store.js";
export { openPostgresState, type PostgresStateOptions } from "./postgres/open-postgres-state.js";
export { DatabaseUnreachableError, postgresSchemaVersion } from "./postgres/postgres-database.js";
export type { ShardLease, ShardStep, ShardStore } from "./shard-store.js";
export { latestVersion } from "./sql/migrations.js";
export { openSqliteState, type SqliteStateOptions } from "./sqlite/open-sqlite-state.js";
export { sqliteSchemaVersion } from "./sqlite/sqlite-database.js";
export type { State } from "./state.js";
export type {
  CallerCounts,
  Conversation,
  NewTurn,
  Rating,
  StoredTurn,
  Thread,
  ThreadListPage,
  ThreadOwner,
  ThreadStore,
  ThreadSummary,
  ThreadTranscript,
  TurnOutcome,
} from "./thread-store.js";
export type {
  DayRange,
  DayViews,
  HourViews,
  ImportedPart,
  KindCounts,
  MissingCount,
  MissingPath,
  PathCounts,
  SearchList,
  SearchRow,
  SearchSeen,
  ViewCount,
  ViewCounts,
  ViewKind,
  ViewList,
  ViewPage,
  ViewStore,
  VisitorList,
  VisitorSeen,
} from "./view-store.js";
