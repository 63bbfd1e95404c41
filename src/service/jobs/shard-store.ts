import type { Job } from "./job.js";
import type { Lease } from "./job-store.js";

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
