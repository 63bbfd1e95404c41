import type { Row } from "./database.js";
import { endJob } from "./end-job.js";
import { addLogLine } from "./job-logs.js";
import { adviceOf, workOf } from "./job-rows.js";
import { type StoreDeps, workTopic } from "./store-deps.js";

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
