/**
 * In:  requests of clients, progress of workers.
 * Out: jobs, organizations, projects and keys, stored in SQLite or PostgreSQL behind the same interfaces.
 */
export type {
  ApiKey,
  Counting,
  NewApiKey,
  Organization,
  Project,
  Scope,
  SiteSource,
} from "./accounts/account-store.js";
export {
  type AccountStore,
  type BucketUses,
  type CreatedKey,
  DomainTakenError,
  domainFault,
  type Failures,
  type Use,
} from "./accounts/account-store.js";
export type { CredentialKind, CredentialStore, Secret, StoredCredential } from "./accounts/credential-store.js";
export { latestVersion } from "./database/migrations.js";
export { openPostgresState, type PostgresStateOptions } from "./database/open-postgres-state.js";
export { openSqliteState, type SqliteStateOptions } from "./database/open-sqlite-state.js";
export { DatabaseUnreachableError, postgresSchemaVersion } from "./database/postgres-database.js";
export { sqliteSchemaVersion } from "./database/sqlite-database.js";
export type {
  ErasedObjects,
  Erasure,
  ErasureRefusal,
  ErasureStore,
  ErasureTarget,
  ErasureWork,
} from "./erasures/erasure-store.js";
export type { PersonStore } from "./people/person-store.js";
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
} from "./people/person-store.js";
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
} from "./queue/agent-store.js";
export {
  type Bundle,
  cursorOf,
  isCursor,
  isFinished,
  type Job,
  type JobReport,
  type JobStatus,
  type LogLine,
  type NewJob,
  positionOf,
} from "./queue/job.js";
export type {
  Delivery,
  IdempotencyKey,
  JobCounts,
  JobRules,
  JobStore,
  Lease,
  ShardLease,
  ShardStep,
  ShardStore,
  WorkerState,
} from "./queue/job-store.js";
export { jobRuleDefaults } from "./queue/job-store.js";
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
} from "./threads/thread-store.js";
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
} from "./views/view-store.js";
