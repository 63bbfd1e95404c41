import type { Bundle } from "../job.js";
import type { Lease } from "../job-store.js";
import type { Transaction } from "./database.js";
import { endJob } from "./end-job.js";
import { type Holder, heldRow, LeaseLostError, whileHeld, workedMs } from "./held-job.js";
import { type Parts, workTopic } from "./parts.js";

/** True once more for a worker that repeats itself because the answer has not reached it. */
export async function completeJob(parts: Parts, lease: Lease, bundle: Bundle, pageCount: number): Promise<boolean> {
  const { jobId } = lease.job;
  const ended = await whileHeld(parts, async (transaction) => {
    if (!(await endJob(parts, transaction, jobId, { bundle, pageCount }, lease))) throw new LeaseLostError();
    return true;
  });
  if (ended) return true;
  const [row] = await parts.database.read("select * from jobs where job_id = $1 and status = 'completed'", [jobId]);
  return row !== undefined && row["attempt"] === lease.fence && row["object_key"] === bundle.objectKey;
}

export function failJob(parts: Parts, lease: Lease, error: string, retry: boolean): Promise<boolean> {
  return whileHeld(parts, async (transaction) => {
    const { jobId } = lease.job;
    if (retry) await tryAgain(parts, transaction, jobId, lease, error);
    else if (!(await endJob(parts, transaction, jobId, { error }, lease))) throw new LeaseLostError();
    return true;
  });
}

export function releaseJob(parts: Parts, lease: Lease): Promise<boolean> {
  return whileHeld(parts, async (transaction) => {
    await putBack(parts, transaction, lease.job.jobId, lease, 0);
    await transaction.query("update jobs set released = released + 1 where job_id = $1", [lease.job.jobId]);
    return true;
  });
}

/** Takes a job from a worker that no longer speaks. False: someone else has been quicker. */
export function takeFromDead(parts: Parts, jobId: string, holder: Holder): Promise<boolean> {
  return whileHeld(parts, async (transaction) => {
    await tryAgain(parts, transaction, jobId, holder, "Its worker stopped without a word: it crashed or was cut off.");
    return true;
  });
}

/** Puts a job back into the queue, or ends it after its last attempt. */
async function tryAgain(
  parts: Parts,
  transaction: Transaction,
  jobId: string,
  holder: Holder,
  error: string,
): Promise<void> {
  const { maxAttempts, backoffMs } = parts.rules;
  const { released } = await heldRow(transaction, jobId, holder);
  const attempts = holder.fence - (released as number);
  if (attempts < maxAttempts) return putBack(parts, transaction, jobId, holder, backoffMs * 2 ** (attempts - 1));
  const reason = attempts === 1 ? error : `The export was given up after ${attempts} attempts. ${error}`;
  if (!(await endJob(parts, transaction, jobId, { error: reason }, holder))) throw new LeaseLostError();
}

async function putBack(
  parts: Parts,
  transaction: Transaction,
  jobId: string,
  holder: Holder,
  afterMs: number,
): Promise<void> {
  await parts.queue.giveBack(transaction, jobId, afterMs);
  const row = await heldRow(transaction, jobId, holder);
  const now = parts.now();
  const given = await transaction.query(
    `update jobs set worker_id = null, waiting_since = $4, worked_ms = $5
     where job_id = $1 and worker_id = $2 and attempt = $3 returning job_id`,
    [jobId, holder.workerId, holder.fence, now, workedMs(row, now, parts.rules)],
  );
  if (given.length === 0) throw new LeaseLostError();
  await transaction.ring(workTopic);
}
