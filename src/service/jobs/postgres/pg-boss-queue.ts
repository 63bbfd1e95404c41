import type { Db } from "pg-boss";
import type { JobRules } from "../job-store.js";
import type { Param, Transaction } from "../sql/database.js";
import type { JobQueue, QueuedJob } from "../sql/job-queue.js";
import type { PostgresDatabase } from "./postgres-database.js";

const queueName = "exports";
const schema = "offprint_queue";
/** Interval at which pg-boss looks for expired leases; one process does so for all. */
const superviseSeconds = 3;
/** Shortest heartbeat and longest attempt that pg-boss accepts. */
const minHeartbeatSeconds = 10;
const maxAttemptSeconds = 24 * 60 * 60;

/**
 * pg-boss is the queue: it leases jobs, expires leases without a heartbeat, retries with back-off, and deletes finished
 * jobs. A job and its row in `jobs` have the same id.
 */
export async function openPgBossQueue(
  database: PostgresDatabase,
  rules: JobRules,
): Promise<JobQueue & { close(): Promise<void> }> {
  const { PgBoss: Boss } = await import("pg-boss");
  const boss = new Boss({
    db: { executeSql: (sql, params) => database.execute(sql, params) },
    schema,
    // No cron jobs.
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  });
  let fault: Error | undefined;
  boss.on("error", (error) => {
    fault = error;
  });
  await boss.start();
  await boss.createQueue(queueName);

  const options = {
    retryLimit: rules.maxAttempts - 1,
    retryDelay: Math.ceil(rules.backoffMs / 1000),
    retryBackoff: true,
    heartbeatSeconds: Math.max(minHeartbeatSeconds, Math.ceil(rules.leaseMs / 1000)),
    expireInSeconds: Math.min(maxAttemptSeconds, Math.ceil((rules.deadlineMs + rules.leaseMs) / 1000)),
    retentionSeconds: 365 * 24 * 60 * 60,
  };

  return {
    async add(transaction, job, organizationId) {
      const group = { id: organizationId };
      const id = uuidOf(job.jobId);
      await boss.send(queueName, {}, { ...options, group, id, priority: priorityOf(job), db: dbOf(transaction) });
    },
    async lease(transaction, job) {
      const db = dbOf(transaction);
      const priority = priorityOf(job);
      const fetch = () => boss.fetch(queueName, { minPriority: priority, maxPriority: priority, db });
      if ((await fetch()).length > 0) return true;
      // An earlier version of this program queued the job without a priority of its own.
      await boss.update(queueName, undefined, { id: uuidOf(job.jobId), priority, db });
      return (await fetch()).length > 0;
    },
    async renew(transaction, jobId) {
      const renewed = await boss.touch(queueName, uuidOf(jobId), { db: dbOf(transaction) });
      return (renewed as { readonly affected: number }).affected > 0;
    },
    async retry(transaction, jobId, error) {
      const id = uuidOf(jobId);
      const db = dbOf(transaction);
      await boss.fail(queueName, id, { message: error }, { db });
      return (await boss.findJobs(queueName, { id, db }))[0]?.state === "retry";
    },
    async requeue(transaction, jobId, delayMs) {
      // pg-boss counts every attempt. Sending the job again, with the attempts that are left, does not.
      const id = uuidOf(jobId);
      const db = dbOf(transaction);
      const [job] = await boss.findJobs(queueName, { id, db });
      await boss.deleteJob(queueName, id, { db });
      const { priority, retryLimit, retryCount, groupId } = job!;
      const rest = { priority, retryLimit: retryLimit - retryCount, startAfter: Math.ceil(delayMs / 1000) };
      await boss.send(queueName, {}, { ...options, ...rest, group: { id: groupId! }, id, db });
    },
    async end(transaction, jobId, isCompleted) {
      const db = dbOf(transaction);
      if (isCompleted) await boss.complete(queueName, uuidOf(jobId), null, { db });
      else await boss.cancel(queueName, uuidOf(jobId), { db });
    },
    async expireLeases() {
      // pg-boss does so by itself. Its last error is thrown here, to be logged.
      const error = fault;
      fault = undefined;
      if (error) throw error;
    },
    // "failed" here means that the lease of the last attempt expired; other failed jobs are finished in `jobs`.
    isLeased: `(select (state = 'active')::int ${ofRow} and (state < 'completed' or state = 'failed'))`,
    isDue: `(select state < 'active' and start_after <= ${schema}.job_now() ${ofRow})`,
    close: () => boss.stop({ graceful: false }),
  };
}

const ofRow = `from ${schema}.job where name = '${queueName}' and id = substr(jobs.job_id, 4)::uuid`;

const dbOf = (transaction: Transaction): Db => ({
  executeSql: async (sql, params) => ({ rows: [...(await transaction.query(sql, params as readonly Param[]))] }),
});

/**
 * `fetch` takes no id, but a range of priorities, so each job has its own. An earlier version of this program, which
 * takes the highest priority, gets the oldest job.
 */
const priorityOf = ({ position }: QueuedJob): number => -1 - (position % (2 ** 31 - 1));

/** A job's id contains the 32 digits of a UUID. */
const uuidOf = (jobId: string): string =>
  jobId.slice("se_".length).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
