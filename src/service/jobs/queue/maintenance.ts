import type { Row, Transaction } from "../database/database.js";
import type { StoreDeps } from "../database/store-deps.js";
import { prunePeople } from "../people/sql-person-store.js";
import { pruneThreads } from "../threads/sql-thread-store.js";
import { endJob, recordDeath, workerDied } from "./end-job.js";
import { workOf } from "./job-rows.js";
import { exhaustedError } from "./leased-job.js";
import { createShardExpiry } from "./sql-shard-store.js";

/** Interval at which all jobs of a long queue are checked, in milliseconds. */
const allJobsMs = 60_000;
/** How long prompts are kept, and how long an agent job is not archived after its end. */
const agentRetentionMs = 90 * 24 * 60 * 60_000;
/** Clocks that are corrected gradually differ by less between two calls, in milliseconds. */
const stepMs = 5_000;

/**
 * Maintenance of the jobs: expired leases, jobs without a live worker, old records. Each job changes in its own
 * transaction, so that one that is locked does not delay the others.
 *
 * Whether workers are alive is measured between two calls, never by their clocks: the first call cannot fail a job. After
 * a step of the clock nobody knows how long a job has waited, so that the time begins anew.
 */
export function createMaintenance(deps: StoreDeps): () => Promise<number> {
  const { rules, now, steadyNow } = deps;
  let heartbeats = new Map<string, number>();
  let lastHeartbeatAt = steadyNow();
  let clocksDifferMs = now() - steadyNow();
  const expireShards = createShardExpiry(deps);
  let allCheckedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const workers = await deps.database.read("select worker_id, heartbeats from workers");
    const seen = new Map(workers.map((row) => [row["worker_id"] as string, row["heartbeats"] as number]));
    if ([...seen].some(([workerId, count]) => heartbeats.get(workerId) !== count)) lastHeartbeatAt = steadyNow();
    heartbeats = seen;
    const differMs = now() - steadyNow();
    if (Math.abs(differMs - clocksDifferMs) > stepMs) lastHeartbeatAt = steadyNow();
    clocksDifferMs = differMs;

    await deps.queue.expireLeases();
    await expireShards();
    const isThorough = steadyNow() - allCheckedAt >= allJobsMs;
    if (isThorough) allCheckedAt = steadyNow();
    let changed = await recordExpiredLeases(deps, isThorough ? "all" : "leased");
    if (steadyNow() - lastHeartbeatAt >= rules.queueAgeMs) changed += await failUnclaimed(deps);
    await prune(deps);
    return changed;
  };
}

/** Jobs whose lease has expired, and, of the leased or of all jobs, those that have disappeared from the queue. */
async function recordExpiredLeases(deps: StoreDeps, jobs: "leased" | "all"): Promise<number> {
  const rows = await deps.database.read(
    `select job_id, agent_job_id, attempt, is_leased from (
       select job_id, agent_job_id, attempt, worker_id, ${deps.queue.isLeased} as is_leased from jobs
       where finished_at is null ${jobs === "leased" ? "and worker_id is not null" : ""}
     ) as unfinished
     where is_leased is null or (worker_id is not null and is_leased = 0)`,
  );
  let changed = 0;
  for (const row of rows) {
    const error = exhaustedError(deps.rules, row, row["attempt"] as number, workerDied);
    if (await (row["is_leased"] === null ? fail(deps, row, error) : recordDeath(deps, row))) changed++;
  }
  return changed;
}

/** Jobs that wait for an attempt while no worker is alive. */
async function failUnclaimed(deps: StoreDeps): Promise<number> {
  const { queueAgeMs } = deps.rules;
  const now = deps.now();
  // A job that has waited since a time to come was queued before the clock was set back.
  const rows = await deps.database.read(
    `select job_id, agent_job_id from jobs where finished_at is null and (waiting_since <= $1 or waiting_since > $2)
     order by position limit 1000`,
    [now - queueAgeMs, now + stepMs],
  );
  const within = `within ${Math.round(queueAgeMs / 1000)} s`;
  let ended = 0;
  for (const row of rows)
    if (await fail(deps, row, `No worker took the ${workOf(row)} ${within}, and none is alive. Start a worker.`))
      ended++;
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
    await transaction.query("delete from failures where ends_at <= $1", [now]);
    await transaction.query("delete from use_buckets where ends_at <= $1", [now]);
    await transaction.query("delete from salts where ends_at <= $1", [now]);
    await prunePeople(transaction, now, deps.rules.auditRetentionMs);
    await transaction.query("delete from erasures where finished_at <= $1", [now - deps.rules.auditRetentionMs]);
    await pruneThreads(transaction, now - deps.rules.threadRetentionMs);
    await pruneAgentJobs(transaction, now);
    await transaction.query("delete from workers where seen_at <= $1", [now - 100 * deps.rules.workerTimeoutMs]);
    await transaction.query(
      `delete from projects where removed_at is not null
         and not exists (select 1 from jobs where jobs.project_id = projects.project_id)`,
    );
  });
}

/** Archives jobs that ended long ago, and deletes old prompts and the jobs of removed sites. */
async function pruneAgentJobs(transaction: Transaction, now: number): Promise<void> {
  const before = now - agentRetentionMs;
  await transaction.query(
    `update agent_jobs set archived_at = $1 where archived_at is null
       and (select max(coalesce(finished_at, $1)) from jobs where jobs.agent_job_id = agent_jobs.agent_job_id) <= $2`,
    [now, before],
  );
  await transaction.query(
    "update agent_messages set prompt = '', patch = null, reply = null where created_at <= $1 and prompt <> ''",
    [before],
  );
  const removed = "project_id in (select project_id from projects where removed_at is not null)";
  await transaction.query(`delete from jobs where agent_job_id is not null and finished_at is not null and ${removed}`);
  await transaction.query(
    `delete from agent_jobs where ${removed}
       and not exists (select 1 from jobs where jobs.agent_job_id = agent_jobs.agent_job_id)`,
  );
}
