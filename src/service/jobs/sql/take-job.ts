import type { Lease } from "../job-store.js";
import { jobOf } from "./job-rows.js";
import type { StoreDeps } from "./store-deps.js";

export function takeJob(deps: StoreDeps, workerId: string): Promise<Lease | undefined> {
  return deps.database.transaction(async (transaction) => {
    for (;;) {
      const jobId = await deps.queue.take(transaction);
      if (jobId === undefined) return undefined;
      const now = deps.now();
      const [row] = await transaction.query(
        `update jobs set
           status = 'running', attempt = attempt + 1, worker_id = $2, reported_at = $3, waiting_since = null,
           updated_at = case when updated_at > $3 then updated_at else $3 end
         where job_id = $1 and status in ('queued', 'running') returning *`,
        [jobId, workerId, now],
      );
      if (!row) {
        // The job ended while the queue retried it.
        await deps.queue.end(transaction, jobId, false);
        continue;
      }
      await transaction.notify(jobId);
      const job = jobOf(row);
      const leftMs = deps.rules.deadlineMs - (row["worked_ms"] as number);
      return { job, workerId, fence: job.attempt, deadline: new Date(now + leftMs) };
    }
  });
}
