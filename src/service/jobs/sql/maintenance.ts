import type { Row } from "./database.js";
import { endJob } from "./end-job.js";
import { exhaustedError } from "./leased-job.js";
import type { StoreDeps } from "./store-deps.js";

/**
 * Maintenance of the jobs: expired leases, jobs without a live worker, old records. Each job changes in its own
 * transaction, so that one that is locked does not delay the others.
 *
 * Whether workers are alive is measured between two calls, never by their clocks: the first call cannot fail a job.
 */
export function createMaintenance(deps: StoreDeps): () => Promise<number> {
  const { rules, now } = deps;
  let heartbeats = new Map<string, number>();
  let lastHeartbeatAt = now();
  return async () => {
    const workers = await deps.database.read("select worker_id, heartbeats from workers");
    const seen = new Map(workers.map((row) => [row["worker_id"] as string, row["heartbeats"] as number]));
    if ([...seen].some(([workerId, count]) => heartbeats.get(workerId) !== count)) lastHeartbeatAt = now();
    heartbeats = seen;

    await deps.queue.expireLeases();
    let changed = await recordExpiredLeases(deps);
    if (now() - lastHeartbeatAt >= rules.queueAgeMs) changed += await failUnclaimed(deps);
    await prune(deps);
    return changed;
  };
}

/** After its lease has expired, a job waits for another worker or, after its last attempt, fails. */
async function recordExpiredLeases(deps: StoreDeps): Promise<number> {
  const rows = await deps.database.read(
    `select jobs.job_id, attempt, is_leased from jobs
     left join (${deps.queue.openJobs}) as open_jobs on open_jobs.job_id = jobs.job_id
     where finished_at is null and (is_leased is null or (is_leased = 0 and worker_id is not null))`,
  );
  let changed = 0;
  for (const row of rows) {
    const error = exhaustedError(deps.rules, row["attempt"] as number, workerDied);
    if (await (row["is_leased"] === null ? fail(deps, row, error) : markWaiting(deps, row))) changed++;
  }
  return changed;
}

/** False: another worker has taken the job in the meantime. */
async function markWaiting(deps: StoreDeps, { job_id: jobId, attempt }: Row): Promise<boolean> {
  const rows = await deps.database.transaction((transaction) =>
    transaction.query(
      `update jobs set worker_id = null, waiting_since = $3
       where job_id = $1 and attempt = $2 and worker_id is not null returning job_id`,
      [jobId, attempt, deps.now()],
    ),
  );
  return rows.length > 0;
}

const workerDied = "Its worker stopped responding: it crashed or lost its connection.";

/** Jobs that wait for an attempt while no worker is alive. */
async function failUnclaimed(deps: StoreDeps): Promise<number> {
  const { queueAgeMs } = deps.rules;
  const rows = await deps.database.read(
    "select job_id from jobs where finished_at is null and waiting_since <= $1 order by position limit 1000",
    [deps.now() - queueAgeMs],
  );
  const error = `No worker took the export within ${Math.round(queueAgeMs / 1000)} s, and none is alive. Start a worker.`;
  let ended = 0;
  for (const row of rows) if (await fail(deps, row, error)) ended++;
  return ended;
}

const fail = (deps: StoreDeps, { job_id: jobId }: Row, error: string) =>
  deps.database.transaction((transaction) => endJob(deps, transaction, jobId as string, { error }));

/** Removes expired records. */
async function prune(deps: StoreDeps): Promise<void> {
  const now = deps.now();
  await deps.database.transaction(async (transaction) => {
    await transaction.query("delete from idempotency_keys where created_at <= $1", [now - deps.rules.idempotencyMs]);
    await transaction.query("delete from uses where ends_at <= $1", [now]);
    await transaction.query("delete from recent_uses where ends_at <= $1", [now]);
    await transaction.query("delete from workers where seen_at <= $1", [now - 100 * deps.rules.workerTimeoutMs]);
    await transaction.query(
      `delete from projects where removed_at is not null
         and not exists (select 1 from jobs where jobs.project_id = projects.project_id)`,
    );
  });
}
