import type { JobRules } from "../job-store.js";
import type { Row, Transaction } from "./database.js";
import type { Parts } from "./parts.js";

/** Who has a job: the worker, and the number of its take. */
export interface Holder {
  readonly workerId: string;
  readonly fence: number;
}

/** Thrown to undo the transaction of a worker that has lost its job. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** Makes a change that only the holder of a job may make. False: it is not the holder, and nothing has changed. */
export async function whileHeld(
  parts: Parts,
  change: (transaction: Transaction) => Promise<boolean>,
): Promise<boolean> {
  try {
    return await parts.database.transaction(change);
  } catch (error) {
    if (error instanceof LeaseLostError) return false;
    throw error;
  }
}

export async function heldRow(transaction: Transaction, jobId: string, holder: Holder): Promise<Row> {
  const [row] = await transaction.query("select * from jobs where job_id = $1 and worker_id = $2 and attempt = $3", [
    jobId,
    holder.workerId,
    holder.fence,
  ]);
  if (!row) throw new LeaseLostError();
  return row;
}

/**
 * How long workers have been at a job, in milliseconds: between two reports never more than a lease, never less than
 * nothing. So neither a clock that jumps nor one that differs between machines ends a job early, or never.
 */
export function workedMs(row: Row, now: number, rules: JobRules): number {
  const sinceReportMs = now - (row["reported_at"] as number);
  return (row["worked_ms"] as number) + Math.max(0, Math.min(sinceReportMs, rules.leaseMs));
}
