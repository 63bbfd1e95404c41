import type { Actor } from "../people/person-store.js";
import type { Bundle, Job, JobReport, LogLine, NewJob } from "./job.js";

/**
 * Stores jobs, which are exports and runs of agent jobs, durably: no job is lost, and no two workers hold the same job. Each call is one transaction. A change is
 * on disk once its promise resolves; a process that is killed earlier changes nothing. `by` is who makes the change, for
 * the audit log.
 *
 * Fails: rejects with the database's error; the caller may retry.
 */
export interface JobStore {
  /** With `once`, the first call creates the job, and later calls with the same key and request return it. */
  create(job: NewJob, once?: IdempotencyKey, by?: Actor): Promise<Created>;
  /** What `create` returns for a key that was used earlier; undefined for a new one. */
  repeated(organizationId: string, once: IdempotencyKey): Promise<Created | undefined>;
  get(jobId: string): Promise<Job | undefined>;
  /**
   * The completed job of a project that was created last, of those that exported the whole site for exactly this audience,
   * from any version of its source.
   *
   * @param audience sorted. Default: everyone.
   */
  newestExport(projectId: string, audience?: readonly string[]): Promise<Job | undefined>;
  /** The same for each audience, at most 20: that for everyone first, if there is one, then by age, newest first. */
  newestExports(projectId: string): Promise<readonly Job[]>;
  /** The newest export of each of the organization's projects. */
  latest(organizationId: string): Promise<readonly Job[]>;
  /** Exports, newest first. Jobs created between two calls do not shift the pages. */
  list(organizationId: string, page: JobListPage): Promise<JobList>;
  /** Fails an unfinished job with `reason`. A finished job does not change. */
  cancel(jobId: string, reason: string, by?: Actor): Promise<Job | undefined>;

  /**
   * Leases the next due job, if any: of the organization with the fewest running jobs, then of the one served longest
   * ago. No other worker gets it while the lease is valid.
   *
   * @param isIdle whether the worker runs no other job; default true. If the next job must run alone, a busy worker
   *   gets no job until it is idle.
   */
  take(workerId: string, isIdle?: boolean): Promise<Lease | undefined>;
  /**
   * Renews the lease and stores the progress. Call it several times per `rules.leaseMs`.
   * False: the lease is lost (the job was cancelled, reached its deadline, or has another worker); stop the work.
   */
  heartbeat(lease: Lease, progress: { readonly progress: number; readonly pageCount: number }): Promise<boolean>;
  /** False: the lease is lost, and nothing has changed. Repeating the call with the same bundle gives true again. */
  complete(lease: Lease, bundle: Bundle, pageCount: number, report?: JobReport): Promise<boolean>;
  /**
   * `retry`: another attempt follows after a back-off, if one is left. False: the lease is lost, and nothing has
   * changed.
   */
  fail(lease: Lease, error: string, retry: boolean, report?: JobReport): Promise<boolean>;
  /**
   * Requeues the job for another worker, at once and without counting an attempt: this worker shuts down.
   * False: the lease is lost, and nothing has changed.
   */
  release(lease: Lease): Promise<boolean>;

  /** Adds a line to the job's log, which is bounded: see `job-logs.ts`. */
  addLog(jobId: string, level: LogLine["level"], message: string): Promise<void>;
  /** Oldest first. `cursor` is `next` of the previous page. */
  log(jobId: string, page: { readonly limit: number; readonly cursor?: string }): Promise<JobLog>;

  /** Resolves when a job may be due, after `timeoutMs` (at most one second), or once `signal` aborts. */
  waitForWork(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Resolves with the job when it differs from `since`, after `timeoutMs`, or once `signal` aborts. */
  waitForChange(since: Job, timeoutMs: number, signal: AbortSignal): Promise<Job | undefined>;

  /** Every worker calls this every few seconds, with or without a job. */
  workerHeartbeat(workerId: string): Promise<void>;
  /** The worker shuts down. */
  removeWorker(workerId: string): Promise<void>;
  counts(): Promise<JobCounts>;
  /** Exports of one organization; of the ended ones those since then. */
  countsOf(organizationId: string, since: Date): Promise<Omit<JobCounts, "workers">>;
  /** Those that have not shut down, seen last first. */
  workers(): Promise<readonly WorkerState[]>;

  /**
   * Handles expired leases, those of parts too: each job is tried again. A job whose workers died twice runs alone; if that worker dies
   * too, the job fails. Also fails jobs that have waited for `rules.queueAgeMs` without a live worker, and prunes old
   * records. Resolves with the number of changed jobs.
   *
   * Call it every few seconds, from any number of processes. Expiry is measured between calls of one process, so that
   * clock differences between machines do not matter.
   */
  maintain(): Promise<number>;
  /** Finished exports older than `rules.retentionMs`, oldest first, at most `limit`. */
  outdated(limit: number): Promise<readonly Job[]>;
  /** Deletes a finished job. Remove its objects first. */
  remove(jobId: string): Promise<void>;

  /** Takes the next due webhook delivery; other processes do not get it for `holdMs`. */
  takeDelivery(holdMs: number): Promise<Delivery | undefined>;
  /** `retryAt`: time of the next attempt; undefined: delivered or given up. */
  endDelivery(deliveryId: string, retryAt?: Date): Promise<void>;
}

export interface JobRules {
  /** A lease expires after this time without a heartbeat, in milliseconds. On PostgreSQL at least 10 s. */
  readonly leaseMs: number;
  /** Failed attempts after which a job fails. Attempts whose worker died count separately, at least up to three. */
  readonly maxAttempts: number;
  /** Total working time of all attempts; `heartbeat` enforces it. */
  readonly deadlineMs: number;
  /** Longest time a job waits while no worker is alive. */
  readonly queueAgeMs: number;
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
  queueAgeMs: 15 * 60_000,
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

export interface IdempotencyKey {
  /** As sent by the client; scoped to its organization and route. */
  readonly key: string;
  readonly route: string;
  /** Hash of the request's content: the key is rejected for a different request. */
  readonly requestHash: string;
}

export type Created =
  | { readonly kind: "created" | "repeated"; readonly job: Job }
  /** The key belongs to a different request. */
  | { readonly kind: "mismatch" }
  /** The organization has `maxQueued` queued jobs. */
  | { readonly kind: "full"; readonly maxQueued: number };

export interface Lease {
  readonly job: Job;
  readonly workerId: string;
  /** Fencing token: increases with every take; writes with an older one change nothing. */
  readonly fence: number;
  /** When this attempt exceeds the job's total working time. */
  readonly deadline: Date;
  /** The job's workers died twice: this one runs no other job meanwhile. */
  readonly alone: boolean;
}

export interface JobListPage {
  /** 1 to 100. */
  readonly limit: number;
  /** `next` of the previous page. */
  readonly cursor?: string;
  readonly status?: Job["status"];
  readonly domain?: string;
}

export interface JobList {
  readonly jobs: readonly Job[];
  /** Undefined on the last page. */
  readonly next?: string;
}

export interface JobLog {
  readonly lines: readonly LogLine[];
  /** Undefined on the last page. */
  readonly next?: string;
}

export interface JobCounts {
  readonly queued: number;
  readonly running: number;
  readonly completed: number;
  readonly failed: number;
  /** Live workers. */
  readonly workers: number;
  /** Waiting time of the oldest queued job, in milliseconds; 0 if none is queued. */
  readonly oldestQueuedMs: number;
}

export interface WorkerState {
  readonly workerId: string;
  readonly seenAt: Date;
  readonly isAlive: boolean;
  /** Jobs that it runs. */
  readonly jobs: number;
}

/** One webhook message about a finished job. It is created in the transaction that ends the job. */
export interface Delivery {
  /** `evt_` and 32 hexadecimal digits; the same in every attempt. */
  readonly deliveryId: string;
  readonly job: Job;
  readonly attempt: number;
}

/**
 * Parts of large exports. The worker of a job splits it; other workers that have no job to do make the pages of a part and
 * put them into the store of the site's pages, and the job's worker puts the site together. A part that nobody has made is
 * made by the job's worker: no job fails because of a part.
 *
 * Fails: rejects with the database's error; the caller may retry.
 */
export interface ShardStore {
  /** Splits the job of the lease, in place of earlier parts of it. False: the lease is lost. */
  split(lease: Lease, count: number): Promise<boolean>;
  /** What the job's worker does next. Each part is given to it once: to make it, or to take it over. */
  next(lease: Lease): Promise<ShardStep>;
  /** Pages of the parts that other workers make or have made, without those that have been taken over. */
  pagesOfOthers(jobId: string): Promise<number>;

  /** Leases a part: of the organization with the fewest leased parts, then of the oldest job. @param jobId of this job only. */
  take(workerId: string, jobId?: string): Promise<ShardLease | undefined>;
  /** Renews the lease. False: it is lost, since the job has ended, or another worker has the part; stop the work. */
  heartbeat(lease: ShardLease, pageCount: number): Promise<boolean>;
  /** Its pages are in the store of the site. False: the lease is lost. */
  complete(lease: ShardLease, pageCount: number): Promise<boolean>;
  /** Another worker tries it, up to `rules.maxAttempts` times in all. False: the lease is lost. */
  fail(lease: ShardLease): Promise<boolean>;
  /** As `fail`, without counting the attempt: this worker shuts down. */
  release(lease: ShardLease): Promise<boolean>;
}

export interface ShardLease {
  readonly job: Job;
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
  readonly workerId: string;
  /** Fencing token, unique for each take of the part. */
  readonly fence: string;
}

export type ShardStep =
  | { readonly kind: "make" | "made"; readonly index: number }
  /** Other workers have all that is left. */
  | { readonly kind: "wait" }
  /** Every part has been given to the job's worker, or its lease is lost. */
  | { readonly kind: "end" };
