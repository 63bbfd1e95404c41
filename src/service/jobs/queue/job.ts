/** Clients rely on exactly these. A cancelled job is `failed`, and its `error` says so. */
export type JobStatus = "queued" | "running" | "completed" | "failed";

/** One requested static export, or one run of an agent job. */
export interface Job {
  /** `se_` (of a run: `ar_`) and 32 hexadecimal digits, 128 of their bits random. */
  readonly jobId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly domain: string;
  /** The agent job that this is a run of; undefined: an export. */
  readonly agentJobId?: string;
  /** Tag, branch or commit of the site's repository; undefined: the site's default. */
  readonly version?: string;
  /** URL paths of the pages to export, without leading slash and extension; undefined: all. */
  readonly paths?: readonly string[];
  /** The groups of readers that the bundle is for, sorted; undefined: everyone. */
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
  /** The object with the diagnostics as JSON lines; undefined: there are none, or they could not be stored. */
  readonly diagnosticsKey?: string;
}

/** One event of a job, for its clients: without secrets and paths of the worker. */
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
