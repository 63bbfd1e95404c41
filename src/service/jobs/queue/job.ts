/** Clients rely on exactly these. A cancelled job is `failed`, and its `error` says so. */
export type JobStatus = "queued" | "running" | "completed" | "failed";

/** One requested static export, or one run of an agent job. */
export interface Job {
  /** `se_` (of a run: `ar_`) and 32 hexadecimal digits, 128 of their bits random. */
  readonly jobId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly domain: string;
  /** The agent job that this is a run of; undefined for an export. */
  readonly agentJobId?: string;
  /** Tag, branch or commit of the site's repository. Default: that of the site's settings. */
  readonly version?: string;
  /** URL paths of the pages to export, without leading slash and extension. Default: all. */
  readonly paths?: readonly string[];
  /** The groups of readers that the bundle is for, sorted. Default: everyone. */
  readonly audience?: readonly string[];
  readonly webhookUrl?: string;
  /** The name of the API key or the person that asked for the job, as it was then. */
  readonly requestedBy?: string;
  /** Never returns from `running` to `queued`, even between attempts. `completed` and `failed` are final. */
  readonly status: JobStatus;
  /** 0 to 100; never decreases, and is 100 only when `completed`. */
  readonly progress: number;
  /** Pages exported so far; never decreases. */
  readonly pageCount: number;
  /** How many times a worker has taken the job. */
  readonly attempt: number;
  readonly createdAt: Date;
  /** Never decreases. */
  readonly updatedAt: Date;
  readonly finishedAt?: Date;
  /** Shown to API clients; only if `failed`. */
  readonly error?: string;
  /** Only if `completed`. */
  readonly bundle?: Bundle;
  /** Only if an export of the site has ended. */
  readonly report?: JobReport;
}

/** What the export found in the site. */
export interface JobReport {
  readonly errors: number;
  readonly warnings: number;
  /** The object with the diagnostics as JSON lines; undefined if there are none, or if they could not be stored. */
  readonly diagnosticsKey?: string;
}

/** One event of a job. Clients see it, so it has no secrets and no paths of the worker. */
export interface LogLine {
  readonly time: Date;
  readonly level: "info" | "warning" | "error";
  readonly message: string;
}

/** The archive of a completed job. */
export interface Bundle {
  readonly objectKey: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export type NewJob = Pick<
  Job,
  | "organizationId"
  | "projectId"
  | "domain"
  | "agentJobId"
  | "version"
  | "paths"
  | "audience"
  | "webhookUrl"
  | "requestedBy"
>;

export const isFinished = (job: Job): boolean => job.status === "completed" || job.status === "failed";

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
  /** Whether the job must run alone, since its workers died twice. */
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

export interface LogPage {
  readonly limit: number;
  /** `next` of the previous page. */
  readonly cursor?: string;
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
  readonly workers: number;
  /** Waiting time of the oldest queued job, in milliseconds; 0 if none is queued. */
  readonly oldestQueuedMs: number;
}

export interface WorkerState {
  readonly workerId: string;
  readonly seenAt: Date;
  readonly isAlive: boolean;
  readonly jobs: number;
}

/** One webhook message about a finished job. It is created in the transaction that ends the job. */
export interface Delivery {
  /** `evt_` and 32 hexadecimal digits; the same in every attempt. */
  readonly deliveryId: string;
  readonly job: Job;
  readonly attempt: number;
  readonly event: "completed" | "failed" | "bundle_ready";
}

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
  /** Delay before the second attempt; doubles then. On PostgreSQL in whole seconds, plus up to 100 % jitter. */
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
