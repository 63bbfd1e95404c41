import { type Row, raw, type Transaction } from "../database/database.js";
import type { StoreDeps } from "../database/store-deps.js";
import { prunePeople } from "../people/person-store.js";
import { pruneThreads } from "../threads/thread-store.js";
import { endJob, recordDeath, workerDied } from "./end-job.js";
import { workOf } from "./job-rows.js";
import { exhaustedError } from "./leased-job.js";
import { createShardExpiry } from "./shard-store.js";

/** Interval at which all jobs of a long queue are checked, in milliseconds. */
const allJobsMs = 60_000;
/** How long prompts are kept. After the same time, agent jobs that have ended are archived. */
const agentRetentionMs = 90 * 24 * 60 * 60_000;
/** How long the thumbs of readers are kept; the default of the audit log is the same. */
const feedbackRetentionMs = 400 * 24 * 60 * 60_000;
/** Clocks that are corrected gradually differ by less between two calls, in milliseconds. */
const stepMs = 5_000;

/**
 * Maintenance of the jobs: expired leases, jobs without a live worker, old records. Each job changes in its own
 * transaction, so that one that is locked does not delay the others.
 *
 * Whether workers are alive is measured between two calls, never by their clocks: the first call cannot fail a job.
 * After a step of the clock it is unknown how long a job has waited, so its waiting time is measured anew.
 */
export function createMaintenance(deps: StoreDeps): () => Promise<number> {
  const { rules, now, steadyNow } = deps;
  let heartbeats = new Map<string, number>();
  let lastHeartbeatAt = steadyNow();
  let clocksDifferMs = now() - steadyNow();
  const expireShards = createShardExpiry(deps);
  let allCheckedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const workers = await deps.database.read`select worker_id, heartbeats from workers`;
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
    if (steadyNow() - lastHeartbeatAt >= rules.noWorkerMs) changed += await failUnclaimed(deps);
    await prune(deps);
    return changed;
  };
}

/** Handles expired leases, and jobs that have disappeared from the queue: of the leased or of all jobs. */
async function recordExpiredLeases(deps: StoreDeps, jobs: "leased" | "all"): Promise<number> {
  const isChecked = raw(jobs === "leased" ? "worker_id is not null" : "true");
  const rows = await deps.database.read`select job_id, agent_job_id, attempt, is_leased from (
      select job_id, agent_job_id, attempt, worker_id, ${deps.queue.isLeased} as is_leased from jobs
      where finished_at is null and ${isChecked}
    ) as unfinished
    where is_leased is null or (worker_id is not null and is_leased = 0)`;
  let changed = 0;
  for (const row of rows) {
    const error = exhaustedError(deps.rules, row, row["attempt"] as number, workerDied);
    if (await (row["is_leased"] === null ? fail(deps, row, error) : recordDeath(deps, row))) changed++;
  }
  return changed;
}

/** Fails jobs that have waited too long while no worker is alive. */
async function failUnclaimed(deps: StoreDeps): Promise<number> {
  const { noWorkerMs } = deps.rules;
  const now = deps.now();
  // A job that has waited since a time in the future was queued before the clock was set back.
  const rows = await deps.database.read`select job_id, agent_job_id from jobs
    where finished_at is null and (waiting_since <= ${now - noWorkerMs} or waiting_since > ${now + stepMs})
    order by position limit 1000`;
  const within = `within ${Math.round(noWorkerMs / 1000)} s`;
  let ended = 0;
  for (const row of rows)
    if (
      await fail(deps, row, `No worker picked up the ${workOf(row)} ${within}, and no worker is alive. Start a worker.`)
    )
      ended++;
  return ended;
}

const fail = (deps: StoreDeps, { job_id: jobId }: Row, error: string) =>
  deps.database.transaction((transaction) => endJob(deps, transaction, jobId as string, { error }));

/** Removes expired records. */
async function prune({ database, now, rules }: StoreDeps): Promise<void> {
  const time = now();
  await database.transaction(async (transaction) => {
    const { query } = transaction;
    await query`delete from idempotency_keys where created_at <= ${time - rules.idempotencyMs}`;
    for (const table of ["recent_uses", "failures", "use_buckets", "salts"])
      await query`delete from ${raw(table)} where ends_at <= ${time}`;
    await prunePeople(transaction, time, rules.auditRetentionMs);
    await query`delete from erasures where finished_at <= ${time - rules.auditRetentionMs}`;
    await query`delete from feedback where created_at <= ${time - feedbackRetentionMs}`;
    await pruneThreads(transaction, time - rules.threadRetentionMs);
    await pruneAgentJobs(transaction, time);
    await query`delete from workers where seen_at <= ${time - 100 * rules.workerTimeoutMs}`;
    await query`delete from projects where removed_at is not null
      and not exists (select 1 from jobs where jobs.project_id = projects.project_id)`;
  });
}

/** Archives agent jobs that ended long ago, and deletes old prompts and the jobs of removed sites. */
async function pruneAgentJobs({ query }: Transaction, now: number): Promise<void> {
  const before = now - agentRetentionMs;
  await query`update agent_jobs set archived_at = ${now} where archived_at is null and ${before} >= (
    select max(coalesce(finished_at, ${now})) from jobs where jobs.agent_job_id = agent_jobs.agent_job_id)`;
  await query`update agent_messages set prompt = '', patch = null, reply = null
    where created_at <= ${before} and prompt <> ''`;
  const isOfRemovedSite = raw("project_id in (select project_id from projects where removed_at is not null)");
  await query`delete from jobs where agent_job_id is not null and finished_at is not null and ${isOfRemovedSite}`;
  await query`delete from agent_jobs where ${isOfRemovedSite}
    and not exists (select 1 from jobs where jobs.agent_job_id = agent_jobs.agent_job_id)`;
}
