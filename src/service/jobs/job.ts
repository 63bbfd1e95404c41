/** The closed set that clients know; a cancelled job is `failed`, and its `error` says so. */
export type JobStatus = "queued" | "running" | "completed" | "failed";

/** One static export that someone asked for. */
export interface Job {
  /** `se_` and 32 hexadecimal digits, 128 of their bits random. */
  readonly jobId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly domain: string;
  /** Tag, branch or commit of the site's repository; undefined: the one that the site names. */
  readonly version?: string;
  /** URL paths of the pages to export, without slash at the beginning and without extension; undefined: all. */
  readonly paths?: readonly string[];
  readonly webhookUrl?: string;
  /** Once `running` never `queued` again, also while it waits for its next attempt; `completed` and `failed` stay. */
  readonly status: JobStatus;
  /** 0 to 100; never falls, and is 100 only when `completed`. */
  readonly progress: number;
  /** Pages exported so far; never falls. */
  readonly pageCount: number;
  /** How often a worker has taken it. */
  readonly attempt: number;
  readonly createdAt: Date;
  /** Never goes back. */
  readonly updatedAt: Date;
  readonly finishedAt?: Date;
  /** For the reader of the API; only where `failed`. */
  readonly error?: string;
  /** Only where `completed`. */
  readonly bundle?: Bundle;
}

/** The archive of a completed job. */
export interface Bundle {
  readonly objectKey: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export type NewJob = Pick<Job, "organizationId" | "projectId" | "domain" | "version" | "paths" | "webhookUrl">;

export const isFinished = (job: Job): boolean => job.status === "completed" || job.status === "failed";
