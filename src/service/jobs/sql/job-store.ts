import type { JobCounts, JobStore } from "../job-store.js";
import { createJob } from "./create-job.js";
import { endDelivery, takeDelivery } from "./deliveries.js";
import { endJob } from "./end-job.js";
import { isJobId, jobOf } from "./job-rows.js";
import { completeJob, failJob, releaseJob } from "./leave-job.js";
import { listJobs } from "./list-jobs.js";
import { type Parts, workTopic } from "./parts.js";
import { reportJob } from "./report-job.js";
import { createSweep } from "./sweep.js";
import { takeJob } from "./take-job.js";
import { waitForChange } from "./wait.js";

/** For lost rings, and for jobs whose back-off is over, which nobody rings for; in milliseconds. */
const lookAgainMs = 1_000;

/** The jobs in a SQL database. */
export function createJobStore(parts: Parts): JobStore {
  const { database, bell, rules, now } = parts;

  const get: JobStore["get"] = async (jobId) => {
    if (!isJobId(jobId)) return undefined;
    const [row] = await database.read("select * from jobs where job_id = $1", [jobId]);
    return row && jobOf(row);
  };

  return {
    create: (job, once) => createJob(parts, job, once),
    get,
    list: (organizationId, page) => listJobs(parts, organizationId, page),
    async cancel(jobId, reason) {
      if (!isJobId(jobId)) return undefined;
      const ended = await database.transaction((transaction) => endJob(parts, transaction, jobId, { error: reason }));
      return ended ?? get(jobId);
    },

    take: (workerId) => takeJob(parts, workerId),
    report: (lease, { progress, pageCount }) => reportJob(parts, lease, progress, pageCount),
    complete: (lease, bundle, pageCount) => completeJob(parts, lease, bundle, pageCount),
    fail: (lease, error, retry) => failJob(parts, lease, error, retry),
    release: (lease) => releaseJob(parts, lease),

    waitForWork: (timeoutMs, signal) => bell.wait(workTopic, Math.min(timeoutMs, lookAgainMs), signal),
    waitForChange: (since, timeoutMs, signal) => waitForChange(parts, get, since, timeoutMs, signal),

    async workerLives(workerId) {
      await database.transaction((transaction) =>
        transaction.query(
          `insert into workers (worker_id, seen_at, beats) values ($1, $2, 1)
           on conflict (worker_id) do update set seen_at = excluded.seen_at, beats = workers.beats + 1`,
          [workerId, now()],
        ),
      );
    },
    async workerLeaves(workerId) {
      await database.transaction((transaction) =>
        transaction.query("delete from workers where worker_id = $1", [workerId]),
      );
    },
    async counts() {
      const byStatus = await database.read("select status, count(*) as jobs from jobs group by status");
      const [first] = await database.read("select min(created_at) as at from jobs where status = 'queued'");
      const [living] = await database.read("select count(*) as workers from workers where seen_at > $1", [
        now() - rules.workerLifeMs,
      ]);
      const counts = { queued: 0, running: 0, completed: 0, failed: 0 };
      for (const row of byStatus) counts[row["status"] as keyof typeof counts] = row["jobs"] as number;
      const oldestAt = first!["at"] as number | null;
      return {
        ...counts,
        workers: living!["workers"] as number,
        oldestQueuedMs: oldestAt === null ? 0 : Math.max(0, now() - oldestAt),
      } satisfies JobCounts;
    },

    sweep: createSweep(parts),
    async outdated(limit) {
      const rows = await database.read(
        "select * from jobs where finished_at <= $1 order by finished_at, position limit $2",
        [now() - rules.retentionMs, limit],
      );
      return rows.map(jobOf);
    },
    async remove(jobId) {
      await database.transaction((transaction) =>
        transaction.query("delete from jobs where job_id = $1 and finished_at is not null", [jobId]),
      );
    },

    takeDelivery: (holdMs) => takeDelivery(parts, holdMs),
    endDelivery: (deliveryId, retryAt) => endDelivery(parts, deliveryId, retryAt),
  };
}
