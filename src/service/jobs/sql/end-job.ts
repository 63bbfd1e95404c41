import type { Bundle, Job } from "../job.js";
import type { Transaction } from "./database.js";
import type { Holder } from "./held-job.js";
import { jobOf, newId } from "./job-rows.js";
import type { Parts } from "./parts.js";

export type Ending =
  | { readonly error: string }
  | { readonly error?: undefined; readonly bundle: Bundle; readonly pageCount: number };

/**
 * Ends a job for good, and leaves word for its webhook, all in the caller's transaction.
 *
 * @param holder if given, only while this one has it.
 * @returns undefined if it has ended before, or `holder` does not have it; then the caller undoes its transaction.
 */
export async function endJob(
  parts: Parts,
  transaction: Transaction,
  jobId: string,
  ending: Ending,
  holder?: Holder,
): Promise<Job | undefined> {
  await parts.queue.remove(transaction, jobId);
  const done = ending.error === undefined ? ending : undefined;
  const [row] = await transaction.query(
    `update jobs set
       status = $2, error = $3, object_key = $4, bundle_bytes = $5, bundle_sha256 = $6,
       page_count = case when page_count > $7 then page_count else $7 end,
       progress = case when $2 = 'completed' then 100 else progress end,
       finished_at = $8, updated_at = case when updated_at > $8 then updated_at else $8 end,
       worker_id = null, waiting_since = null
     where job_id = $1 and status in ('queued', 'running')
       and (cast($9 as text) is null or (worker_id = $9 and attempt = $10)) returning *`,
    [
      jobId,
      done ? "completed" : "failed",
      ending.error,
      done?.bundle.objectKey,
      done?.bundle.bytes,
      done?.bundle.sha256,
      done?.pageCount ?? 0,
      parts.now(),
      holder?.workerId,
      holder?.fence,
    ],
  );
  if (!row) return undefined;
  if (row["webhook_url"] !== null)
    await transaction.query("insert into deliveries (delivery_id, job_id, attempt, due_at) values ($1, $2, 0, $3)", [
      newId("evt"),
      jobId,
      parts.now(),
    ]);
  await transaction.ring(jobId);
  return jobOf(row);
}
