import type { Bundle, Job } from "../job.js";
import type { Transaction } from "./database.js";
import { addLogLine } from "./job-logs.js";
import { jobOf, newId } from "./job-rows.js";
import type { StoreDeps } from "./store-deps.js";

/** A completed run of an agent job has no bundle. */
export type Ending =
  | { readonly error: string }
  | { readonly error?: undefined; readonly bundle?: Bundle; readonly pageCount: number };

/**
 * Ends a job and schedules its webhook in the caller's transaction.
 *
 * @returns undefined if the job has already ended.
 */
export async function endJob(
  deps: StoreDeps,
  transaction: Transaction,
  jobId: string,
  ending: Ending,
): Promise<Job | undefined> {
  const done = ending.error === undefined ? ending : undefined;
  await deps.queue.end(transaction, jobId, done !== undefined);
  const [row] = await transaction.query(
    `update jobs set
       status = $2, error = $3, object_key = $4, bundle_bytes = $5, bundle_sha256 = $6,
       page_count = case when page_count > $7 then page_count else $7 end,
       progress = case when $2 = 'completed' then 100 else progress end,
       finished_at = $8, updated_at = case when updated_at > $8 then updated_at else $8 end,
       worker_id = null, waiting_since = null
     where job_id = $1 and status in ('queued', 'running') returning *`,
    [
      jobId,
      done ? "completed" : "failed",
      ending.error,
      done?.bundle?.objectKey,
      done?.bundle?.bytes,
      done?.bundle?.sha256,
      done?.pageCount ?? 0,
      deps.now(),
    ],
  );
  if (!row) return undefined;
  await transaction.query("delete from shards where job_id = $1", [jobId]);
  if (done) await addLogLine(deps, transaction, jobId, "info", "The job is completed.");
  else await addLogLine(deps, transaction, jobId, "error", `The job failed. ${ending.error}`);
  if (row["webhook_url"] !== null)
    await transaction.query("insert into deliveries (delivery_id, job_id, attempt, due_at) values ($1, $2, 0, $3)", [
      newId("evt"),
      jobId,
      deps.now(),
    ]);
  await transaction.notify(jobId);
  return jobOf(row);
}
