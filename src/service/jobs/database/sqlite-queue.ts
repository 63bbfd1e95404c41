import { randomInt } from "node:crypto";
import { type Database, sql, type Transaction } from "./database.js";
import { createLeaseWatch, type JobQueue, type StoreDeps } from "./store-deps.js";

export const queueTable = [
  `create table if not exists queue (
    position integer primary key autoincrement,
    job_id text not null unique,
    organization_id text not null,
    attempts integer not null default 0,
    due_at integer not null default 0,
    heartbeats integer
  )`,
  "create index if not exists queue_leased on queue (organization_id) where heartbeats is not null",
];

/**
 * One row per unfinished job. The holder of a lease increments `heartbeats`, which is null while the job waits. The
 * first count is random, so that a new lease is not mistaken for an expired one.
 */
export function createSqliteQueue(
  database: Database,
  { rules: { maxAttempts, backoffMs, leaseMs }, now, steadyNow }: Pick<StoreDeps, "rules" | "now" | "steadyNow">,
): JobQueue {
  const longestBackoffMs = backoffMs * 2 ** maxAttempts;
  const findExpired = createLeaseWatch(leaseMs, steadyNow);

  const remove = async (transaction: Transaction, jobId: string): Promise<void> => {
    await transaction.query`delete from queue where job_id = ${jobId}`;
  };

  return {
    async add(transaction, { jobId }, organizationId) {
      await transaction.query`insert into queue (job_id, organization_id) values (${jobId}, ${organizationId})`;
    },
    async lease(transaction, { jobId }) {
      const rows = await transaction.query`update queue
        set heartbeats = ${randomInt(2 ** 47)}, attempts = attempts + 1
        where job_id = ${jobId} and heartbeats is null returning job_id`;
      return rows.length > 0;
    },
    async renew(transaction, jobId) {
      const rows = await transaction.query`update queue set heartbeats = heartbeats + 1
        where job_id = ${jobId} and heartbeats is not null returning job_id`;
      return rows.length > 0;
    },
    async retry(transaction, jobId) {
      const retried = await transaction.query`update queue
        set heartbeats = null, due_at = ${now()} + ${backoffMs} * (1 << (attempts - 1))
        where job_id = ${jobId} and attempts < ${maxAttempts} returning job_id`;
      if (retried.length === 0) await remove(transaction, jobId);
      return retried.length > 0;
    },
    async requeue(transaction, jobId, delayMs) {
      await transaction.query`update queue
        set heartbeats = null, due_at = ${delayMs === 0 ? 0 : now() + delayMs}, attempts = attempts - 1
        where job_id = ${jobId}`;
    },
    end: remove,
    async expireLeases() {
      const leases =
        await database.read`select job_id as lease, heartbeats as heartbeat from queue where heartbeats is not null`;
      for (const { lease, heartbeat } of findExpired(leases))
        await database.write`update queue set heartbeats = null where job_id = ${lease} and heartbeats = ${heartbeat}`;
    },
    isLeased: sql`(select heartbeats is not null from queue where queue.job_id = jobs.job_id)`,
    // A due time beyond the longest back-off means that the clock was set back.
    isDue: (time) => sql`(select heartbeats is null and (due_at <= ${time} or due_at > ${time + longestBackoffMs})
      from queue where queue.job_id = jobs.job_id)`,
  };
}
