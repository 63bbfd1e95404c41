import type { Row, Transaction } from "../database/database.js";
import { type StoreDeps, workTopic } from "../database/store-deps.js";
import type { Bundle, Job } from "./job.js";
import { addLogLine } from "./job-logs.js";
import { adviceOf, jobOf, newId, workOf } from "./job-rows.js";

/** A completed run of an agent job has no bundle. */
type Ending =
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

/** After so many deaths of its worker, a job runs alone. */
export const suspectDeaths = 2;

/**
 * The lease of an attempt has expired: its worker crashed, or lost its connection. Every job that the worker held is a
 * suspect and is tried again, without counting the attempt as a failed one. A job whose worker dies although it ran
 * alone is the culprit and fails.
 *
 * @returns false if another process has recorded it.
 */
export function recordDeath(deps: StoreDeps, { job_id: jobId, attempt }: Row): Promise<boolean> {
  const { rules, queue, now } = deps;
  return deps.database.transaction(async (transaction) => {
    const [row] = await transaction.query(
      `update jobs set worker_id = null, waiting_since = $3, deaths = deaths + 1
       where job_id = $1 and attempt = $2 and worker_id is not null and finished_at is null returning *`,
      [jobId, attempt, now()],
    );
    if (!row) return false;
    await addLogLine(deps, transaction, jobId as string, "warning", `Attempt ${attempt} ended. ${workerDied}`);
    const deaths = row["deaths"] as number;
    if (row["alone_attempt"] === attempt && deaths >= Math.max(rules.maxAttempts, suspectDeaths + 1)) {
      await endJob(deps, transaction, jobId as string, { error: culpritError(row, deaths) });
      return true;
    }
    await queue.requeue(transaction, jobId as string, rules.backoffMs * 2 ** (deaths - 1));
    await transaction.notify(workTopic);
    return true;
  });
}

export const workerDied = "Its worker stopped responding: it crashed or lost its connection.";

const culpritError = (row: Row, deaths: number): string =>
  `The ${workOf(row)} was given up after ${deaths} attempts. ${workerDied} ` +
  `In the last attempt the worker ran no other export, so this site is the cause.${adviceOf(row)}`;
