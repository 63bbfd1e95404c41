import type { Job } from "../job.js";
import type { Transaction } from "./database.js";

/**
 * Decides which job a worker gets, and when a failed one is tried again; the job's own row records what became of it.
 * A call is part of the caller's transaction and precedes any change to the job's row, so that two processes cannot
 * deadlock.
 */
export interface JobQueue {
  add(transaction: Transaction, job: Job): Promise<void>;
  /** Leases the oldest job that is due. */
  take(transaction: Transaction): Promise<string | undefined>;
  /** Extends the lease, which cannot expire before the transaction ends. False: it has expired. */
  renew(transaction: Transaction, jobId: string): Promise<boolean>;
  /** Ends a leased attempt; the job is due again after the back-off. False: that was the last attempt. */
  retry(transaction: Transaction, jobId: string, error: string): Promise<boolean>;
  /** Ends a leased attempt without counting it; the job is due at once, before the others. */
  requeue(transaction: Transaction, jobId: string): Promise<void>;
  /** No worker gets the job from now on. */
  end(transaction: Transaction, jobId: string, isCompleted: boolean): Promise<void>;
  /** Ends the attempts whose lease has expired, unless the engine does so by itself. */
  expireLeases(): Promise<void>;
  /** SQL that selects `job_id` and `is_leased` (0 or 1) of all jobs that a worker has or may get. */
  readonly openJobs: string;
}
