import type { Lease } from "../job-store.js";
import { jobOf } from "./job-rows.js";
import type { Parts } from "./parts.js";

export function takeJob(parts: Parts, workerId: string): Promise<Lease | undefined> {
  return parts.database.transaction(async (transaction) => {
    for (;;) {
      const jobId = await parts.queue.take(transaction);
      if (jobId === undefined) return undefined;
      const now = parts.now();
      const [row] = await transaction.query(
        `update jobs set
           status = 'running', attempt = attempt + 1, worker_id = $2, reported_at = $3, waiting_since = null,
           updated_at = case when updated_at > $3 then updated_at else $3 end
         where job_id = $1 and status in ('queued', 'running') returning *`,
        [jobId, workerId, now],
      );
      if (!row) {
        // It has ended while it was being taken.
        await parts.queue.remove(transaction, jobId);
        continue;
      }
      await transaction.ring(jobId);
      const job = jobOf(row);
      const leftMs = parts.rules.deadlineMs - (row["worked_ms"] as number);
      return { job, workerId, fence: job.attempt, deadline: new Date(now + leftMs) };
    }
  });
}
