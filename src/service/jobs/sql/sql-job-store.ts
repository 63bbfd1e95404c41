import type { JobStore } from "../job-store.js";
import { insertAuditEntry } from "./audit-log.js";
import { countJobs, countJobsOf, listWorkers } from "./counts.js";
import { createJob, earlierJob } from "./create-job.js";
import { endDelivery, takeDelivery } from "./deliveries.js";
import { endJob } from "./end-job.js";
import { addLogLine, listLog } from "./job-logs.js";
import { isJobId, jobOf } from "./job-rows.js";
import { completeJob, failJob, recordHeartbeat, releaseJob } from "./leased-job.js";
import { latestJobs, listJobs } from "./list-jobs.js";
import { createMaintenance } from "./maintenance.js";
import { type StoreDeps, workTopic } from "./store-deps.js";
import { takeJob } from "./take-job.js";
import { waitForChange } from "./wait-for-change.js";

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
