import type { JobCounts, WorkerState } from "../job-store.js";
import type { Row } from "./database.js";
import type { StoreDeps } from "./store-deps.js";

/** Of all organizations. */
export async function countJobs(deps: StoreDeps): Promise<JobCounts> {
  const { database, now, rules } = deps;
  const byStatus = await database.read("select status, count(*) as jobs from jobs group by status");
  const [first] = await database.read("select min(created_at) as at from jobs where status = 'queued'");
  const [living] = await database.read("select count(*) as workers from workers where abs(seen_at - $1) < $2", [
    now(),
    rules.workerTimeoutMs,
  ]);
  return { ...countsIn(byStatus, first!, now()), workers: living!["workers"] as number };
}

export async function countJobsOf(deps: StoreDeps, organizationId: string, since: Date) {
  const { database, now } = deps;
  const byStatus = await database.read(
    `select status, count(*) as jobs from jobs
     where organization_id = $1 and agent_job_id is null and (finished_at is null or finished_at >= $2) group by status`,
    [organizationId, since.getTime()],
  );
  const [first] = await database.read(
    `select min(created_at) as at from jobs
     where organization_id = $1 and agent_job_id is null and finished_at is null and status = 'queued'`,
    [organizationId],
  );
  return countsIn(byStatus, first!, now());
}

function countsIn(byStatus: readonly Row[], first: Row, now: number) {
  const counts = { queued: 0, running: 0, completed: 0, failed: 0 };
  for (const row of byStatus) counts[row["status"] as keyof typeof counts] = row["jobs"] as number;
  const oldestAt = first["at"] as number | null;
  return { ...counts, oldestQueuedMs: oldestAt === null ? 0 : Math.max(0, now - oldestAt) };
}

export async function listWorkers({ database, now, rules }: StoreDeps): Promise<readonly WorkerState[]> {
  const rows = await database.read(
    `select worker_id, seen_at,
       (select count(*) from jobs where jobs.worker_id = workers.worker_id and finished_at is null) as jobs
     from workers order by seen_at desc, worker_id limit 100`,
  );
  return rows.map((row) => ({
    workerId: row["worker_id"] as string,
    seenAt: new Date(row["seen_at"] as number),
    isAlive: Math.abs(now() - (row["seen_at"] as number)) < rules.workerTimeoutMs,
    jobs: row["jobs"] as number,
  }));
}
