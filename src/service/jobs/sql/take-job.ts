import type { Lease } from "../job-store.js";
import { chooseJob, recordTurn } from "./choose-job.js";
import type { Row, Transaction } from "./database.js";
import { jobOf, queuedJobOf } from "./job-rows.js";
import { recordDeath, suspectDeaths } from "./record-death.js";
import type { StoreDeps } from "./store-deps.js";

export async function takeJob(deps: StoreDeps, workerId: string, isIdle: boolean): Promise<Lease | undefined> {
  for (;;) {
    const taken = await deps.database.transaction(async (transaction) => {
      // Two workers that choose at the same time could exceed the limit of an organization.
      await transaction.lock("turns");
      const chosen = await chooseJob(deps, transaction, workerId, isIdle);
      if (!chosen || chosen["worker_id"] !== null) return { expired: chosen };
      if (isIdle || !isSuspect(chosen)) return { lease: await leaseJob(deps, transaction, chosen, workerId) };
      // The worker takes no other job until it is idle, or until an idle worker has taken this one.
      await transaction.query("update workers set reserved_job_id = $2 where worker_id = $1", [
        workerId,
        chosen["job_id"],
      ]);
      return {};
    });
    if (!taken.expired) return taken.lease;
    await recordDeath(deps, taken.expired);
  }
}

async function leaseJob(
  deps: StoreDeps,
  transaction: Transaction,
  chosen: Row,
  workerId: string,
): Promise<Lease | undefined> {
  const { jobId, organizationId } = jobOf(chosen);
  // False: the job was cancelled in the meantime.
  if (!(await deps.queue.lease(transaction, queuedJobOf(chosen)))) return undefined;
  await recordTurn(transaction, organizationId);
  const now = deps.now();
  const alone = isSuspect(chosen);
  const [row] = await transaction.query(
    `update jobs set
       status = 'running', attempt = attempt + 1, worker_id = $2, reported_at = $3, waiting_since = null,
       alone_attempt = case when $4 = 1 then attempt + 1 end,
       updated_at = case when updated_at > $3 then updated_at else $3 end
     where job_id = $1 returning *`,
    [jobId, workerId, now, alone ? 1 : 0],
  );
  await transaction.notify(jobId);
  const job = jobOf(row!);
  const leftMs = deps.rules.deadlineMs - (row!["worked_ms"] as number);
  return { job, workerId, fence: job.attempt, deadline: new Date(now + leftMs), alone };
}

const isSuspect = (row: Row): boolean => (row["deaths"] as number) >= suspectDeaths;
