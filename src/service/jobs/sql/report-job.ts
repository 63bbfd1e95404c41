import type { JobRules, Lease } from "../job-store.js";
import { endJob } from "./end-job.js";
import { heldRow, LeaseLostError, whileHeld, workedMs } from "./held-job.js";
import { jobOf } from "./job-rows.js";
import type { Parts } from "./parts.js";

/** Keeps the lease alive, and ends a job that has had its time. */
export function reportJob(parts: Parts, lease: Lease, progress: number, pageCount: number): Promise<boolean> {
  return whileHeld(parts, async (transaction) => {
    const { jobId } = lease.job;
    if (!(await parts.queue.touch(transaction, jobId))) throw new LeaseLostError();
    const row = await heldRow(transaction, jobId, lease);
    const now = parts.now();
    const worked = workedMs(row, now, parts.rules);
    if (worked >= parts.rules.deadlineMs) {
      await endJob(parts, transaction, jobId, { error: deadlineError(parts.rules) }, lease);
      return false;
    }
    const before = jobOf(row);
    const next = Math.max(before.progress, Math.min(99, progress || 0));
    const nextCount = Math.max(before.pageCount, Math.floor(pageCount) || 0);
    // Whoever waits for a change is not woken by a mere sign of life.
    const hasChanged = next > before.progress || nextCount > before.pageCount;
    const updatedAt = before.updatedAt.getTime();
    const written = await transaction.query(
      `update jobs set progress = $4, page_count = $5, worked_ms = $6, reported_at = $7, updated_at = $8
       where job_id = $1 and worker_id = $2 and attempt = $3 returning job_id`,
      [
        jobId,
        lease.workerId,
        lease.fence,
        next,
        nextCount,
        worked,
        now,
        hasChanged ? Math.max(now, updatedAt) : updatedAt,
      ],
    );
    if (written.length === 0) throw new LeaseLostError();
    if (hasChanged) await transaction.ring(jobId);
    return true;
  });
}

const deadlineError = (rules: JobRules): string =>
  `The export was not ready after ${Math.round(rules.deadlineMs / 1000)} s, the longest it may take. ` +
  "Export fewer pages at a time with `paths`.";
