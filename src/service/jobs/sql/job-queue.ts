import type { Transaction } from "./database.js";

/**
 * Leases jobs to workers, and decides when a failed one is tried again; the job's own row records what became of it.
 * A call is part of the caller's transaction and precedes changes to the job's row where it can, so that two processes
 * seldom deadlock.
 */
export interface JobQueue {
  add(transaction: Transaction, job: QueuedJob, organizationId: string): Promise<void>;
  /** Leases a job that is due. False: another worker has it, or it was cancelled. */
  lease(transaction: Transaction, job: QueuedJob): Promise<boolean>;
  /** Extends the lease, which cannot expire before the transaction ends. False: it has expired. */
  renew(transaction: Transaction, jobId: string): Promise<boolean>;
  /** Ends a leased attempt; the job is due again after the back-off. False: that was the last attempt. */
  retry(transaction: Transaction, jobId: string, error: string): Promise<boolean>;
  /** Ends an attempt, or records the end of its expired lease, without counting it; the job is due after `delayMs`. */
  requeue(transaction: Transaction, jobId: string, delayMs: number): Promise<void>;
  /** No worker gets the job from now on. */
  end(transaction: Transaction, jobId: string, isCompleted: boolean): Promise<void>;
  /** Ends the leases that have expired. */
  expireLeases(): Promise<void>;
  /** SQL for a row of `jobs`: 1 if a worker has the job, 0 if one may get it, null if the queue has lost it. */
  readonly isLeased: string;
  /** SQL that is true for a row of `jobs` whose job `lease` gets at the time `$1`. */
  readonly isDue: string;
}

export interface QueuedJob {
  readonly jobId: string;
  /** Of its row; unique. */
  readonly position: number;
}
