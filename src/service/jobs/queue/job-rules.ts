export interface JobRules {
  /** A lease expires after this time without a heartbeat, in milliseconds. On PostgreSQL at least 10 s. */
  readonly leaseMs: number;
  /** Failed attempts after which a job fails. Attempts whose worker died count separately, at least up to three. */
  readonly maxAttempts: number;
  /** Total working time of all attempts; `heartbeat` enforces it. */
  readonly deadlineMs: number;
  /** A job fails if it has waited for this time and no worker is alive, in milliseconds. */
  readonly noWorkerMs: number;
  /** A worker counts as dead after this time without a heartbeat. */
  readonly workerTimeoutMs: number;
  /**
   * Delay before the second attempt; doubles with each further attempt. On PostgreSQL in whole seconds, plus up to 100
   * % jitter.
   */
  readonly backoffMs: number;
  /** Jobs of one organization that run at once; further ones wait. */
  readonly maxConcurrent: number;
  /** Queued jobs of one organization; `create` refuses further ones. */
  readonly maxQueued: number;
  /** How long finished jobs and their bundles are kept. */
  readonly retentionMs: number;
  /** How long conversations with the assistant are kept; 0: nothing is stored. */
  readonly threadRetentionMs: number;
  /** Whole months for which views are kept by day, before the current one; by month they are kept for ever. */
  readonly viewDayMonths: number;
  /** How long lines of the audit log are kept. */
  readonly auditRetentionMs: number;
  /** How long idempotency keys are kept. */
  readonly idempotencyMs: number;
}
export const jobRuleDefaults: JobRules = {
  leaseMs: 15_000,
  maxAttempts: 3,
  deadlineMs: 60 * 60_000,
  noWorkerMs: 15 * 60_000,
  workerTimeoutMs: 30_000,
  backoffMs: 1_000,
  maxConcurrent: Number.POSITIVE_INFINITY,
  maxQueued: 1000,
  retentionMs: 30 * 24 * 60 * 60_000,
  threadRetentionMs: 90 * 24 * 60 * 60_000,
  viewDayMonths: 25,
  auditRetentionMs: 400 * 24 * 60 * 60_000,
  idempotencyMs: 24 * 60 * 60_000,
};
