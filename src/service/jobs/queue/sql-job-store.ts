import type { Row } from "../database/database.js";
import { type StoreDeps, workTopic } from "../database/store-deps.js";
import { insertAuditEntry } from "../people/audit-log.js";
import { createJob, earlierJob } from "./create-job.js";
import { endJob } from "./end-job.js";
import { cursorOf, type Job, positionOf } from "./job.js";
import { addLogLine, listLog } from "./job-logs.js";
import { isJobId, jobOf } from "./job-rows.js";
import type { Delivery, JobCounts, JobList, JobListPage, JobStore, WorkerState } from "./job-store.js";
import { completeJob, failJob, recordHeartbeat, releaseJob } from "./leased-job.js";
import { createMaintenance } from "./maintenance.js";
import { takeJob } from "./take-job.js";

/** For lost notifications, and for jobs whose back-off ends, which send no notification. */
const pollMs = 1_000;

/** The jobs in a SQL database. */
export function createJobStore(deps: StoreDeps): JobStore {
  const { database, notifier, rules, now } = deps;

  const get: JobStore["get"] = async (jobId) => {
    if (!isJobId(jobId)) return undefined;
    const [row] = await database.read("select * from jobs where job_id = $1", [jobId]);
    return row && jobOf(row);
  };

  return {
    create: (job, once, by) =>
      createJob(deps, job, once, undefined, (transaction, { jobId, organizationId, domain }) =>
        insertAuditEntry(transaction, now(), {
          organizationId,
          ...by,
          action: "job.start",
          subject: jobId,
          detail: domain,
        }),
      ),
    repeated: (organizationId, once) => earlierJob(deps, database.read, organizationId, once),
    get,
    async newestExport(projectId, audience = []) {
      const [row] = await database.read(
        `select * from jobs where project_id = $1 and status = 'completed' and paths is null and agent_job_id is null
           and coalesce(audience, '[]') = $2
         order by position desc limit 1`,
        [projectId, JSON.stringify(audience)],
      );
      return row && jobOf(row);
    },
    async newestExports(projectId) {
      const rows = await database.read(
        `select * from jobs where position in
           (select max(position) from jobs where project_id = $1 and status = 'completed' and paths is null
              and agent_job_id is null
            group by coalesce(audience, '[]'))
         order by case when coalesce(audience, '[]') = '[]' then 0 else 1 end, position desc limit 20`,
        [projectId],
      );
      return rows.map(jobOf);
    },
    latest: (organizationId) => latestJobs(deps, organizationId),
    list: (organizationId, page) => listJobs(deps, organizationId, page),
    async cancel(jobId, reason, by) {
      if (!isJobId(jobId)) return undefined;
      const ended = await database.transaction(async (transaction) => {
        const job = await endJob(deps, transaction, jobId, { error: reason });
        if (!job) return undefined;
        const { organizationId, domain } = job;
        const line = { organizationId, ...by, action: "job.cancel", subject: jobId, detail: domain };
        await insertAuditEntry(transaction, now(), line);
        return job;
      });
      return ended ?? get(jobId);
    },

    take: (workerId, isIdle = true) => takeJob(deps, workerId, isIdle),
    heartbeat: (lease, { progress, pageCount }) => recordHeartbeat(deps, lease, progress, pageCount),
    complete: (lease, bundle, pageCount, report) => completeJob(deps, lease, bundle, pageCount, report),
    fail: (lease, error, retry, report) => failJob(deps, lease, error, retry, report),
    release: (lease) => releaseJob(deps, lease),
    addLog: (jobId, level, message) =>
      database.transaction((transaction) => addLogLine(deps, transaction, jobId, level, message)),
    log: (jobId, page) => listLog(deps, jobId, page),

    waitForWork: (timeoutMs, signal) => notifier.wait(workTopic, Math.min(timeoutMs, pollMs), signal),
    waitForChange: (since, timeoutMs, signal) => waitForChange(deps, get, since, timeoutMs, signal),

    async workerHeartbeat(workerId) {
      await database.transaction((transaction) =>
        transaction.query(
          `insert into workers (worker_id, seen_at, heartbeats) values ($1, $2, 1)
           on conflict (worker_id) do update set seen_at = excluded.seen_at, heartbeats = workers.heartbeats + 1`,
          [workerId, now()],
        ),
      );
    },
    async removeWorker(workerId) {
      await database.transaction((transaction) =>
        transaction.query("delete from workers where worker_id = $1", [workerId]),
      );
    },
    counts: () => countJobs(deps),
    countsOf: (organizationId, since) => countJobsOf(deps, organizationId, since),
    workers: () => listWorkers(deps),

    maintain: createMaintenance(deps),
    async outdated(limit) {
      const rows = await database.read(
        "select * from jobs where finished_at <= $1 and agent_job_id is null order by finished_at, position limit $2",
        [now() - rules.retentionMs, limit],
      );
      return rows.map(jobOf);
    },
    async remove(jobId) {
      await database.transaction((transaction) =>
        transaction.query("delete from jobs where job_id = $1 and finished_at is not null", [jobId]),
      );
    },

    takeDelivery: (holdMs) => takeDelivery(deps, holdMs),
    endDelivery: (deliveryId, retryAt) => endDelivery(deps, deliveryId, retryAt),
  };
}

/**
 * Newest first, by insertion order, which does not depend on a clock. An invalid cursor gives an empty page.
 */
async function listJobs(deps: StoreDeps, organizationId: string, page: JobListPage): Promise<JobList> {
  const limit = Math.max(1, Math.min(100, Math.floor(page.limit)));
  const before = page.cursor === undefined ? Number.MAX_SAFE_INTEGER : positionOf(page.cursor);
  const rows = await deps.database.read(
    `select * from jobs
     where organization_id = $1 and position < $2 and agent_job_id is null
       and (cast($3 as text) is null or status = $3) and (cast($4 as text) is null or domain = $4)
     order by position desc limit $5`,
    [organizationId, before, page.status, page.domain, limit + 1],
  );
  const shown = rows.slice(0, limit);
  return {
    jobs: shown.map(jobOf),
    next: rows.length > limit ? cursorOf(shown.at(-1)!["position"] as number) : undefined,
  };
}

/** The newest job of each project. */
async function latestJobs(deps: StoreDeps, organizationId: string): Promise<readonly Job[]> {
  const rows = await deps.database.read(
    `select * from jobs where position in
       (select max(position) from jobs where organization_id = $1 and agent_job_id is null
       group by project_id)`,
    [organizationId],
  );
  return rows.map(jobOf);
}

/** Longest delay after a lost notification. */
const waitForChangePollMs = 1_000;

/** Resolves with the job when it differs from `since`, after `timeoutMs`, or once `signal` aborts. */
async function waitForChange(
  deps: StoreDeps,
  get: (jobId: string) => Promise<Job | undefined>,
  since: Job,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Job | undefined> {
  const endsAt = performance.now() + timeoutMs;
  for (;;) {
    const leftMs = Math.max(0, endsAt - performance.now());
    // Start to wait before reading, so that no change is missed in between.
    const done = new AbortController();
    const notified = deps.notifier.wait(
      since.jobId,
      Math.min(leftMs, waitForChangePollMs),
      AbortSignal.any([signal, done.signal]),
    );
    try {
      const job = await get(since.jobId);
      if (job === undefined || differs(job, since) || leftMs === 0 || signal.aborted) return job;
      await notified;
    } finally {
      done.abort();
    }
  }
}

/** Any visible change affects one of these. */
const differs = (a: Job, b: Job): boolean =>
  a.status !== b.status ||
  a.progress !== b.progress ||
  a.pageCount !== b.pageCount ||
  a.attempt !== b.attempt ||
  a.updatedAt.getTime() !== b.updatedAt.getTime();

/** Longer than any wait between two attempts. A later due time is from before the clock was set back. */
const longestWaitMs = 10 * 60 * 60_000;

/** Taking a delivery moves its due time, so that it is due again if the process dies. */
function takeDelivery(deps: StoreDeps, holdMs: number): Promise<Delivery | undefined> {
  return deps.database.transaction(async (transaction) => {
    for (;;) {
      const now = deps.now();
      const [due] = await transaction.query(
        "select delivery_id, due_at from deliveries where due_at <= $1 or due_at > $2 order by due_at limit 1",
        [now, now + longestWaitMs],
      );
      if (!due) return undefined;
      const [row] = await transaction.query(
        `update deliveries set due_at = $3, attempt = attempt + 1
         where delivery_id = $1 and due_at = $2 returning delivery_id, job_id, attempt`,
        [due["delivery_id"], due["due_at"], now + holdMs],
      );
      // Another process took it first.
      if (!row) continue;
      const [job] = await transaction.query("select * from jobs where job_id = $1", [row["job_id"]]);
      return { deliveryId: row["delivery_id"] as string, job: jobOf(job!), attempt: row["attempt"] as number };
    }
  });
}

async function endDelivery(deps: StoreDeps, deliveryId: string, retryAt: Date | undefined): Promise<void> {
  await deps.database.transaction((transaction) =>
    retryAt
      ? transaction.query("update deliveries set due_at = $2 where delivery_id = $1", [deliveryId, retryAt.getTime()])
      : transaction.query("delete from deliveries where delivery_id = $1", [deliveryId]),
  );
}

/** Of all organizations. */
async function countJobs(deps: StoreDeps): Promise<JobCounts> {
  const { database, now, rules } = deps;
  const byStatus = await database.read("select status, count(*) as jobs from jobs group by status");
  const [first] = await database.read("select min(created_at) as at from jobs where status = 'queued'");
  const [living] = await database.read("select count(*) as workers from workers where abs(seen_at - $1) < $2", [
    now(),
    rules.workerTimeoutMs,
  ]);
  return { ...countsIn(byStatus, first!, now()), workers: living!["workers"] as number };
}

async function countJobsOf(deps: StoreDeps, organizationId: string, since: Date) {
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
