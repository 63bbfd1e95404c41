import type { Row, Transaction } from "../database/database.js";
import { newId } from "../database/rows.js";
import { type StoreDeps, workTopic } from "../database/store-deps.js";
import type { Bundle, Job } from "./job.js";
import { addLogLine, adviceOf, jobOf, workOf } from "./job-rows.js";

/** A completed run of an agent job has no bundle. */
export type Ending =
  | { readonly error: string }
  | { readonly error?: undefined; readonly bundle?: Bundle; readonly pageCount: number };

/** Ends a job and schedules its webhook in the caller's transaction. @returns undefined if it had ended. */
export async function endJob(
  deps: StoreDeps,
  transaction: Transaction,
  jobId: string,
  ending: Ending,
): Promise<Job | undefined> {
  const { query } = transaction;
  const completed = ending.error === undefined ? ending : undefined;
  const { objectKey, bytes, sha256 }: Partial<Bundle> = completed?.bundle ?? {};
  const pageCount = completed?.pageCount ?? 0;
  const now = deps.now();
  await deps.queue.end(transaction, jobId, completed !== undefined);
  const [row] = await query`update jobs set status = ${completed ? "completed" : "failed"}, error = ${ending.error},
      object_key = ${objectKey}, bundle_bytes = ${bytes}, bundle_sha256 = ${sha256},
      page_count = case when page_count > ${pageCount} then page_count else ${pageCount} end,
      progress = case when ${completed ? 1 : 0} = 1 then 100 else progress end,
      finished_at = ${now}, updated_at = case when updated_at > ${now} then updated_at else ${now} end,
      worker_id = null, waiting_since = null
    where job_id = ${jobId} and status in ('queued', 'running') returning *`;
  if (!row) return undefined;
  await query`delete from shards where job_id = ${jobId}`;
  if (completed) await addLogLine(deps, transaction, jobId, "info", "The job is completed.");
  else await addLogLine(deps, transaction, jobId, "error", `The job failed. ${ending.error}`);
  await addDeliveries(deps, transaction, row);
  await transaction.notify(jobId);
  return jobOf(row);
}

/** Schedules the webhooks of a job that has ended, if it has any. Those that are not sent yet are replaced. */
export async function addDeliveries({ now }: StoreDeps, { query }: Transaction, job: Row): Promise<void> {
  const jobId = job["job_id"] as string;
  await query`delete from deliveries where job_id = ${jobId}`;
  if (job["webhook_url"] === null) return;
  const events = job["object_key"] === null ? [job["status"]] : [job["status"], "bundle_ready"];
  for (const event of events)
    await query`insert into deliveries (delivery_id, job_id, attempt, due_at, event)
      values (${newId("evt")}, ${jobId}, 0, ${now()}, ${event})`;
}

/** A job whose workers have died this often runs alone. */
export const suspectDeaths = 2;

/**
 * Records that the lease of an attempt has expired: its worker crashed, or lost its connection. Every job that the
 * worker held is a suspect and is tried again, without counting the attempt as a failed one. A job whose worker dies
 * although it ran alone is the culprit and fails.
 *
 * @returns false if another process has recorded it.
 */
export function recordDeath(deps: StoreDeps, { job_id: id, attempt }: Row): Promise<boolean> {
  const { rules, queue, now } = deps;
  const jobId = id as string;
  return deps.database.transaction(async (transaction) => {
    const [row] = await transaction.query`update jobs
      set worker_id = null, waiting_since = ${now()}, deaths = deaths + 1
      where job_id = ${jobId} and attempt = ${attempt} and worker_id is not null and finished_at is null returning *`;
    if (!row) return false;
    await addLogLine(deps, transaction, jobId, "warning", `Attempt ${attempt} ended. ${workerDied}`);
    const deaths = row["deaths"] as number;
    if (row["alone_attempt"] === attempt && deaths >= Math.max(rules.maxAttempts, suspectDeaths + 1)) {
      await endJob(deps, transaction, jobId, { error: culpritError(row, deaths) });
      return true;
    }
    await queue.requeue(transaction, jobId, rules.backoffMs * 2 ** (deaths - 1));
    await transaction.notify(workTopic);
    return true;
  });
}

export const workerDied = "Its worker stopped responding: it crashed or lost its connection.";

const culpritError = (row: Row, deaths: number): string =>
  `The service gave up on the ${workOf(row)} after ${deaths} attempts. ${workerDied} ` +
  `In the last attempt, the worker ran no other export, so this site is the cause.${adviceOf(row)}`;
