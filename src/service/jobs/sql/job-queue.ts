import type { Transaction } from "./database.js";

/**
 * Says which job a worker may have; what has become of the job stands in its row. A call is part of the caller's
 * transaction, and comes before the caller touches the job's row: so two processes never wait for each other in a ring.
 */
export interface JobQueue {
  /** Due at once. */
  add(transaction: Transaction, jobId: string): Promise<void>;
  /** Holds the first job that is due: nobody else gets it until it is given back. */
  take(transaction: Transaction): Promise<string | undefined>;
  /** The holder lives. False: the job is not held. */
  touch(transaction: Transaction, jobId: string): Promise<boolean>;
  /** Gives a job back, due in `afterMs`, before those that nobody has begun. */
  giveBack(transaction: Transaction, jobId: string, afterMs: number): Promise<void>;
  /** Forgets the job, whether held or not, or not there at all. */
  remove(transaction: Transaction, jobId: string): Promise<void>;
  /** Those of `held` whose holder has been silent for too long. */
  silent(held: readonly string[]): Promise<readonly string[]>;
}
