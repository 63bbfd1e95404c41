import { raw, type Sql, sql } from "../database/database.js";
import { pageOf, positionOf, recordReader } from "../database/rows.js";
import { type StoreDeps, workTopic } from "../database/store-deps.js";
import { insertAuditEntry } from "../people/audit-log.js";
import type { Actor } from "../people/person.js";
import { createJob, earlierJob } from "./create-job.js";
import { addDeliveries, endJob } from "./end-job.js";
import type * as types from "./job.js";
import { addLogLine, isJobId, jobOf, listLog } from "./job-rows.js";
import { createLeasedJobs } from "./leased-job.js";
import { createMaintenance } from "./maintenance.js";
import { takeJob } from "./take-job.js";

/** For lost notifications, and for jobs whose back-off ends, which send no notification. */
const pollMs = 1_000;

export type JobStore = ReturnType<typeof createJobStore>;

/**
 * Stores jobs, which are exports and runs of agent jobs, durably: no job is lost, and no two workers hold the same job.
 * Each call is one transaction. A change is on disk once its promise resolves; a process that is killed earlier changes
 * nothing. `by` is who makes the change, for the audit log.
 *
 * Fails: rejects with the database's error; the caller may retry.
 */
export function createJobStore(deps: StoreDeps) {
  const { database, notifier, rules, now } = deps;

  const get = async (jobId: string): Promise<types.Job | undefined> => {
    if (!isJobId(jobId)) return undefined;
    const [row] = await database.read`select * from jobs where job_id = ${jobId}`;
    return row && jobOf(row);
  };

  return {
    /** With `once`, the first call creates the job, and later calls with the same key and request return it. */
    create: (job: types.NewJob, once?: types.IdempotencyKey, by?: Actor) =>
      createJob(deps, job, once, (transaction, { jobId: subject, organizationId, domain: detail }) =>
        insertAuditEntry(transaction, now(), { organizationId, ...by, action: "job.start", subject, detail }),
      ),
    /** What `create` returns for a key that was used earlier; undefined for a new one. */
    repeated: (organizationId: string, once: types.IdempotencyKey) =>
      earlierJob(deps, database.read, organizationId, once),
    get,
    /**
     * The completed job of a project that was created last, of those that exported the whole site for exactly this
     * audience, from any version of its source.
     *
     * @param audience sorted. Default: everyone.
     */
    async newestExport(projectId: string, audience: readonly string[] = []): Promise<types.Job | undefined> {
      const [row] = await database.read`select * from jobs
        where ${isWholeExport(projectId)} and coalesce(audience, '[]') = ${JSON.stringify(audience)}
        order by position desc limit 1`;
      return row && jobOf(row);
    },
    /** The same for each audience, at most 20: first the one for everyone, if any, then the others, newest first. */
    async newestExports(projectId: string): Promise<readonly types.Job[]> {
      const rows = await database.read`select * from jobs where position in (
          select max(position) from jobs where ${isWholeExport(projectId)} group by coalesce(audience, '[]')
        )
        order by case when coalesce(audience, '[]') = '[]' then 0 else 1 end, position desc limit 20`;
      return rows.map(jobOf);
    },
    /** For each project of the organization, its newest export of the whole site, without previews. */
    async latest(organizationId: string): Promise<readonly types.Job[]> {
      const rows = await database.read`select * from jobs where position in (
          select max(position) from jobs where organization_id = ${organizationId} and agent_job_id is null
            and ${ofWholeSite} group by project_id
        )`;
      return rows.map(jobOf);
    },
    // By insertion order, which does not depend on a clock. An invalid cursor gives an empty page.
    /** Exports, newest first. Jobs created between two calls do not shift the pages. */
    async list(
      organizationId: string,
      { status, domain, cursor, limit: requested }: types.JobListPage,
    ): Promise<types.JobList> {
      const limit = Math.max(1, Math.min(100, Math.floor(requested)));
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : positionOf(cursor);
      const rows = await database.read`select * from jobs
        where organization_id = ${organizationId} and position < ${before} and agent_job_id is null
          and (cast(${status} as text) is null or status = ${status})
          and (cast(${domain} as text) is null or domain = ${domain})
        order by position desc limit ${limit + 1}`;
      const { shown, next } = pageOf(rows, limit, "position");
      return { jobs: shown.map(jobOf), next };
    },
    /** Fails an unfinished job with `reason`. A finished job does not change. */
    async cancel(jobId: string, reason: string, by?: Actor): Promise<types.Job | undefined> {
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

    /**
     * Leases the next due job, if any: of the organization with the fewest running jobs, then of the one served longest
     * ago. No other worker gets it while the lease is valid.
     *
     * @param isIdle whether the worker runs no other job; default true. If the next job must run alone, a busy worker
     *   gets no job until it is idle.
     */
    take: (workerId: string, isIdle: boolean = true) => takeJob(deps, workerId, isIdle),
    ...createLeasedJobs(deps),
    /** Adds a line to the job's log, which is bounded: see `job-rows.ts`. */
    addLog: (jobId: string, level: types.LogLine["level"], message: string): Promise<void> =>
      database.transaction((transaction) => addLogLine(deps, transaction, jobId, level, message)),
    /** Oldest first. `cursor` is `next` of the previous page. */
    log: (jobId: string, page: types.LogPage) => listLog(deps, jobId, page),

    /** Resolves when a job may be due, after `timeoutMs` (at most one second), or once `signal` aborts. */
    waitForWork: (timeoutMs: number, signal: AbortSignal): Promise<void> =>
      notifier.wait(workTopic, Math.min(timeoutMs, pollMs), signal),
    /** Resolves with the job when it differs from `since`, after `timeoutMs`, or once `signal` aborts. */
    async waitForChange(since: types.Job, timeoutMs: number, signal: AbortSignal): Promise<types.Job | undefined> {
      const endsAt = performance.now() + timeoutMs;
      for (;;) {
        const leftMs = Math.max(0, endsAt - performance.now());
        // Start to wait before reading, so that no change is missed in between.
        const done = new AbortController();
        const notified = notifier.wait(since.jobId, Math.min(leftMs, pollMs), AbortSignal.any([signal, done.signal]));
        try {
          const job = await get(since.jobId);
          if (job === undefined || differs(job, since) || leftMs === 0 || signal.aborted) return job;
          await notified;
        } finally {
          done.abort();
        }
      }
    },

    /** Every worker calls this every few seconds, with or without a job. */
    async workerHeartbeat(workerId: string): Promise<void> {
      await database.write`insert into workers (worker_id, seen_at, heartbeats) values (${workerId}, ${now()}, 1)
        on conflict (worker_id) do update set seen_at = excluded.seen_at, heartbeats = workers.heartbeats + 1`;
    },
    /** The worker shuts down. */
    async removeWorker(workerId: string): Promise<void> {
      await database.write`delete from workers where worker_id = ${workerId}`;
    },
    async counts(): Promise<types.JobCounts> {
      const counts = await countJobs(deps, sql`status is not null`);
      const [alive] = await database.read`select count(*) as workers from workers
        where abs(seen_at - ${now()}) < ${rules.workerTimeoutMs}`;
      return { ...counts, workers: alive!["workers"] as number };
    },
    /** Counts the exports of one organization: unfinished ones, and those that ended at `since` or later. */
    countsOf: (organizationId: string, since: Date) =>
      countJobs(
        deps,
        sql`organization_id = ${organizationId} and agent_job_id is null
          and (finished_at is null or finished_at >= ${since.getTime()})`,
      ),
    /** Workers that have not shut down; the one seen last comes first. */
    workers: () => listWorkers(deps),

    /**
     * Handles expired leases, those of parts too: each job is tried again. A job whose workers died twice runs alone;
     * if that worker dies too, the job fails. Also fails jobs that have waited for `rules.noWorkerMs` without a live
     * worker, and prunes old records. Resolves with the number of changed jobs.
     *
     * Call it every few seconds, from any number of processes. Expiry is measured between calls of one process, so that
     * clock differences between machines do not matter.
     */
    maintain: createMaintenance(deps),
    /** Finished exports older than `rules.retentionMs`, oldest first, at most `limit`. */
    async outdated(limit: number): Promise<readonly types.Job[]> {
      const rows = await database.read`select * from jobs
        where finished_at <= ${now() - rules.retentionMs} and agent_job_id is null order by finished_at, position limit ${limit}`;
      return rows.map(jobOf);
    },
    /** Deletes a finished job. Remove its objects first. */
    async remove(jobId: string): Promise<void> {
      await database.write`delete from jobs where job_id = ${jobId} and finished_at is not null`;
    },

    /** Sends the webhooks of an ended job again, as new messages. False if it has none, or has not ended. */
    replayDeliveries: (jobId: string): Promise<boolean> =>
      database.transaction(async (transaction) => {
        const [row] = await transaction.query`select * from jobs
          where job_id = ${jobId} and finished_at is not null and webhook_url is not null`;
        if (row) await addDeliveries(deps, transaction, row);
        return row !== undefined;
      }),
    /** Takes the next due webhook delivery; other processes do not get it for `holdMs`. */
    takeDelivery: (holdMs: number) => takeDelivery(deps, holdMs),
    /** @param retryAt time of the next attempt; undefined if the message is delivered or given up. */
    async endDelivery(deliveryId: string, retryAt?: Date): Promise<void> {
      if (retryAt)
        await database.write`update deliveries set due_at = ${retryAt.getTime()} where delivery_id = ${deliveryId}`;
      else await database.write`delete from deliveries where delivery_id = ${deliveryId}`;
    },
  };
}

/** True for exports of whole sites, except previews of branches, whose version is the full name of the branch. */
const ofWholeSite = raw("paths is null and coalesce(version, '') not like 'refs/%'");
/** True for completed exports of the project's whole site. */
const isWholeExport = (projectId: string): Sql =>
  sql`project_id = ${projectId} and status = 'completed' and agent_job_id is null and ${ofWholeSite}`;

/** Any visible change affects one of these. */
const differs = (a: types.Job, b: types.Job): boolean =>
  a.status !== b.status ||
  a.progress !== b.progress ||
  a.pageCount !== b.pageCount ||
  a.attempt !== b.attempt ||
  a.updatedAt.getTime() !== b.updatedAt.getTime();

/** Longer than any wait between two attempts. A later due time is from before the clock was set back. */
const longestWaitMs = 10 * 60 * 60_000;

/** Taking a delivery moves its due time, so that it is due again if the process dies. */
function takeDelivery(deps: StoreDeps, holdMs: number): Promise<types.Delivery | undefined> {
  return deps.database.transaction(async ({ query }) => {
    for (;;) {
      const now = deps.now();
      const [due] = await query`select delivery_id, due_at from deliveries
        where due_at <= ${now} or due_at > ${now + longestWaitMs} order by due_at, event desc limit 1`;
      if (!due) return undefined;
      const [row] = await query`update deliveries set due_at = ${now + holdMs}, attempt = attempt + 1
        where delivery_id = ${due["delivery_id"]} and due_at = ${due["due_at"]} returning *`;
      // Another process took it first.
      if (!row) continue;
      const [job] = await query`select * from jobs where job_id = ${row["job_id"]}`;
      return { ...deliveryFieldsOf(row), job: jobOf(job!) };
    }
  });
}

const deliveryFieldsOf = recordReader<Omit<types.Delivery, "job">>(["deliveryId", "attempt", "event"]);

async function countJobs({ database, now }: StoreDeps, condition: Sql): Promise<Omit<types.JobCounts, "workers">> {
  const byStatus = await database.read`select status, count(*) as jobs from jobs where ${condition} group by status`;
  const [oldest] = await database.read`select min(created_at) as at from jobs
    where ${condition} and finished_at is null and status = 'queued'`;
  const counts = { queued: 0, running: 0, completed: 0, failed: 0 };
  for (const row of byStatus) counts[row["status"] as keyof typeof counts] = row["jobs"] as number;
  const at = oldest!["at"] as number | null;
  return { ...counts, oldestQueuedMs: at === null ? 0 : Math.max(0, now() - at) };
}

export async function listWorkers({ database, now, rules }: StoreDeps): Promise<readonly types.WorkerState[]> {
  const rows = await database.read`select worker_id, seen_at,
      (select count(*) from jobs where jobs.worker_id = workers.worker_id and finished_at is null) as jobs
    from workers order by seen_at desc, worker_id limit 100`;
  return rows.map((row) => ({
    workerId: row["worker_id"] as string,
    seenAt: new Date(row["seen_at"] as number),
    isAlive: Math.abs(now() - (row["seen_at"] as number)) < rules.workerTimeoutMs,
    jobs: row["jobs"] as number,
  }));
}
