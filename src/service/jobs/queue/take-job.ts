import { type Row, raw, sql, type Transaction } from "../database/database.js";
import type { StoreDeps } from "../database/store-deps.js";
import { recordDeath, suspectDeaths } from "./end-job.js";
import type { Lease } from "./job.js";
import { jobOf, queuedJobOf } from "./job-rows.js";

export async function takeJob(deps: StoreDeps, workerId: string, isIdle: boolean): Promise<Lease | undefined> {
  for (;;) {
    const outcome = await deps.database.transaction(async (transaction) => {
      // Two workers that choose at the same time could exceed the limit of an organization.
      await transaction.lock("turns");
      const row = await chooseJob(deps, transaction, workerId, isIdle);
      if (!row || row["worker_id"] !== null) return { expired: row };
      if (isIdle || !isSuspect(row)) return { lease: await leaseJob(deps, transaction, row, workerId) };
      // The worker takes no other job until it is idle, or until an idle worker has taken this one.
      await transaction.query`update workers set reserved_job_id = ${row["job_id"]} where worker_id = ${workerId}`;
      return {};
    });
    if (!outcome.expired) return outcome.lease;
    await recordDeath(deps, outcome.expired);
  }
}

async function leaseJob(
  deps: StoreDeps,
  transaction: Transaction,
  chosen: Row,
  workerId: string,
): Promise<Lease | undefined> {
  const { jobId, organizationId } = jobOf(chosen);
  // The job was cancelled in the meantime.
  if (!(await deps.queue.lease(transaction, queuedJobOf(chosen)))) return undefined;
  // The organization is now the one served last.
  await transaction.query`insert into turns (organization_id, turn)
    select ${organizationId}, coalesce(max(turn), 0) + 1 from turns where true
    on conflict (organization_id) do update set turn = excluded.turn`;
  const now = deps.now();
  const alone = isSuspect(chosen);
  const [row] = await transaction.query`update jobs set status = 'running', attempt = attempt + 1,
      worker_id = ${workerId}, reported_at = ${now}, waiting_since = null,
      alone_attempt = case when ${alone ? 1 : 0} = 1 then attempt + 1 end,
      updated_at = case when updated_at > ${now} then updated_at else ${now} end
    where job_id = ${jobId} returning *`;
  await transaction.notify(jobId);
  const job = jobOf(row!);
  const leftMs = deps.rules.deadlineMs - (row!["worked_ms"] as number);
  return { job, workerId, fence: job.attempt, deadline: new Date(now + leftMs), alone };
}

const isSuspect = (row: Row): boolean => (row["deaths"] as number) >= suspectDeaths;

/**
 * The row of the next job: of the organization with the fewest running jobs, then of the one served longest ago, then
 * the oldest job. If its `worker_id` is set, its lease has expired.
 *
 * The time grows with the number of organizations that have unfinished jobs, not with the number of jobs: the indexes
 * of `jobs` give each organization and its first job with one lookup.
 *
 * @param isIdle whether the worker runs no other job. A busy worker does not get a suspect that another live worker
 *   has reserved.
 */
async function chooseJob(
  { rules, queue, now }: StoreDeps,
  { query }: Transaction,
  workerId: string,
  isIdle: boolean,
): Promise<Row | undefined> {
  const time = now();
  const isDue = queue.isDue(time);
  const isAlive = sql`abs(seen_at - ${time}) < ${rules.workerTimeoutMs}`;
  const maxConcurrent = Math.min(rules.maxConcurrent, Number.MAX_SAFE_INTEGER);
  const [reserved] = await query`select jobs.* from workers join jobs on jobs.job_id = workers.reserved_job_id
    where workers.worker_id = ${workerId} and ${isAlive} and finished_at is null and jobs.worker_id is null
      and ${isDue} and ${maxConcurrent} > (
        select count(*) from jobs as others
        where others.organization_id = jobs.organization_id and others.worker_id is not null
      )`;
  if (reserved) return reserved;
  const [row] = await query`with recursive organizations_at_work (organization_id) as (
      select (select organization_id from jobs where finished_at is null order by organization_id limit 1)
      union all
      select (
        select jobs.organization_id from jobs
        where finished_at is null and jobs.organization_id > organizations_at_work.organization_id
        order by jobs.organization_id limit 1
      )
      from organizations_at_work where organization_id is not null
    ),
    -- A join with the grouped counts would read all jobs while the database has no statistics of a growing queue.
    counts (organization_id, running) as materialized (
      select organization_id, (
        select count(*) from jobs
        where jobs.organization_id = organizations_at_work.organization_id and worker_id is not null
      )
      from organizations_at_work where organization_id is not null
    ),
    heads (organization_id, running, position) as materialized (
      select organization_id, running, (
        select position from jobs
        where jobs.organization_id = counts.organization_id and finished_at is null
          and (deaths < ${suspectDeaths} or ${isIdle ? 1 : 0} = 1 or not exists (
            select 1 from workers where reserved_job_id = job_id and workers.worker_id <> ${workerId} and ${isAlive}
          ))
          and ${isFirstOfProject} and ${isDue}
        order by position limit 1
      )
      from counts where running < ${maxConcurrent}
    )
    select jobs.* from heads
    join jobs on jobs.position = heads.position
    left join turns on turns.organization_id = heads.organization_id
    order by heads.running, coalesce(turns.turn, 0), heads.position limit 1`;
  return row;
}

/** One agent job of a project runs at a time, in the order of their creation: two would change the same files. */
const isFirstOfProject = raw(`(agent_job_id is null or not exists (
  select 1 from jobs as earlier
  where earlier.project_id = jobs.project_id and earlier.agent_job_id is not null and earlier.finished_at is null
    and earlier.position < jobs.position
))`);
