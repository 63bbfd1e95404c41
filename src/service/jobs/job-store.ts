import type { Bundle, Job, NewJob } from "./job.js";

/**
 * The jobs, kept so that none is lost and none is done twice at once. Every call is one transaction: when its promise
 * resolves the change outlives a power cut, and a process killed before that has changed nothing.
 *
 * Fails: throws what the database throws; the caller may try again.
 */
export interface JobStore {
  /** With `once`, the first call makes the job and every other one with the same key and request gives that job. */
  create(job: NewJob, once?: IdempotencyKey): Promise<Created>;
  get(jobId: string): Promise<Job | undefined>;
  /** Newest first. Jobs that come while pages are turned change no later page. */
  list(organizationId: string, page: JobListPage): Promise<JobList>;
  /** Ends a job that has not ended as `failed` with `reason`; one that has ended stays as it is. */
  cancel(jobId: string, reason: string): Promise<Job | undefined>;

  /** The next job that is due, if there is one; nobody else gets it while the lease lives. */
  take(workerId: string): Promise<Lease | undefined>;
  /**
   * Says that the worker lives, and how far it is. To be called several times within `rules.leaseMs`.
   * False: the lease is lost (the job was cancelled, missed its deadline, or another worker has it), so that the work is to stop.
   */
  report(lease: Lease, progress: { readonly progress: number; readonly pageCount: number }): Promise<boolean>;
  /** False: the lease is lost, and nothing has changed. True again if it is repeated with the same bundle. */
  complete(lease: Lease, bundle: Bundle, pageCount: number): Promise<boolean>;
  /** `retry`: try again after a back-off while attempts are left. False: the lease is lost, and nothing has changed. */
  fail(lease: Lease, error: string, retry: boolean): Promise<boolean>;
  /**
   * Gives the job back for another worker to take at once, and costs it no attempt: this worker leaves. False: the lease
   * is lost, and nothing has changed.
   */
  release(lease: Lease): Promise<boolean>;

  /** Resolves when there may be a job to take, after `timeoutMs` or a second at most, or once `signal` aborts. */
  waitForWork(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Resolves with the job when it differs from `since`, after `timeoutMs`, or once `signal` aborts. */
  waitForChange(since: Job, timeoutMs: number, signal: AbortSignal): Promise<Job | undefined>;

  /** A worker says every few seconds that it lives, whether it has a job or not. */
  workerLives(workerId: string): Promise<void>;
  /** The worker ends in good order. */
  workerLeaves(workerId: string): Promise<void>;
  counts(): Promise<JobCounts>;

  /**
   * Puts right what the dead have left: leases that ran out are given back or, after the last attempt, ended, and jobs
   * that have waited for `rules.queueAgeMs` with no worker alive are ended. Safe from many processes at once. Gives how
   * many it changed.
   *
   * To be called every few seconds: who is dead it knows by having seen no sign of them since an earlier call, so that
   * clocks that differ bury nobody.
   */
  sweep(): Promise<number>;
  /** Finished jobs older than `rules.retentionMs`, oldest first, at most `limit`. */
  outdated(limit: number): Promise<readonly Job[]>;
  /** Forgets a finished job, after its objects have gone. */
  remove(jobId: string): Promise<void>;

  /** The next webhook delivery that is due, held for `holdMs` against other processes. */
  takeDelivery(holdMs: number): Promise<Delivery | undefined>;
  /** Undefined: delivered or given up; else try again then. */
  endDelivery(deliveryId: string, retryAt?: Date): Promise<void>;
}

export interface JobRules {
  /** A worker that has not reported for this long is dead, in milliseconds. */
  readonly leaseMs: number;
  readonly maxAttempts: number;
  /** Time that workers may spend on a job, all attempts together; its end is noticed by `report`. */
  readonly deadlineMs: number;
  /** Longest a job waits for a worker while none is alive. */
  readonly queueAgeMs: number;
  /** A worker that has not said so for this long does not live. */
  readonly workerLifeMs: number;
  /** Before the second attempt; doubled for each one after. */
  readonly backoffMs: number;
  /** How long finished jobs and their bundles are kept. */
  readonly retentionMs: number;
  /** How long an idempotency key is remembered. */
  readonly idempotencyMs: number;
}
export const jobRuleDefaults: JobRules = {
  leaseMs: 15_000,
  maxAttempts: 3,
  deadlineMs: 60 * 60_000,
  queueAgeMs: 15 * 60_000,
  workerLifeMs: 30_000,
  backoffMs: 1_000,
  retentionMs: 30 * 24 * 60 * 60_000,
  idempotencyMs: 24 * 60 * 60_000,
};

export interface IdempotencyKey {
  /** As the client sent it; valid within its organization and route. */
  readonly key: string;
  readonly route: string;
  /** Hash of the request's content, so that the key cannot be used for another request. */
  readonly requestHash: string;
}

export type Created =
  | { readonly kind: "created" | "repeated"; readonly job: Job }
  /** The key was used for another request. */
  | { readonly kind: "mismatch" };

export interface Lease {
  readonly job: Job;
  readonly workerId: string;
  /** Grows with every take of the job; writes of an older one change nothing. */
  readonly fence: number;
  /** When the whole job must have ended, if this attempt goes on until then. */
  readonly deadline: Date;
}

export interface JobListPage {
  /** 1 to 100. */
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string;
  readonly status?: Job["status"];
  readonly domain?: string;
}

export interface JobList {
  readonly jobs: readonly Job[];
  /** Undefined: this is the last page. */
  readonly next?: string;
}

export interface JobCounts {
  readonly queued: number;
  readonly running: number;
  readonly completed: number;
  readonly failed: number;
  /** Workers that live. */
  readonly workers: number;
  /** Milliseconds that the oldest job waits for its first worker; 0 if none waits. */
  readonly oldestQueuedMs: number;
}

/** One message to a webhook: a job has ended. Made with the change itself, so that none is forgotten. */
export interface Delivery {
  /** `evt_` and 32 hexadecimal digits; the same at every attempt. */
  readonly deliveryId: string;
  readonly job: Job;
  readonly attempt: number;
}
