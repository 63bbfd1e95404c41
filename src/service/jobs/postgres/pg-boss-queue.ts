import type { Db } from "pg-boss";
import type { JobRules } from "../job-store.js";
import type { Param, Transaction } from "../sql/database.js";
import type { JobQueue } from "../sql/job-queue.js";
import type { PostgresDatabase } from "./postgres-database.js";

const queueName = "exports";
const schema = "offprint_queue";
/** Interval at which pg-boss looks for expired leases; one process does so for all. */
const superviseSeconds = 3;
/** Shortest heartbeat and longest attempt that pg-boss accepts. */
const minHeartbeatSeconds = 10;
const maxAttemptSeconds = 24 * 60 * 60;

/**
 * pg-boss is the queue: it leases jobs, expires leases without a heartbeat, retries with back-off, limits the jobs of
 * an organization, and deletes finished jobs. A job and its row in `jobs` have the same id.
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
  const limit = rules.organizationConcurrency;
  const groupConcurrency = Number.isFinite(limit) ? { groupConcurrency: limit } : {};

  return {
    async add(transaction, { jobId, organizationId }) {
      const group = { id: organizationId };
      await boss.send(queueName, {}, { ...options, group, id: uuidOf(jobId), db: dbOf(transaction) });
    },
    async take(transaction) {
      const [job] = await boss.fetch(queueName, { ...groupConcurrency, db: dbOf(transaction) });
      return job && jobIdOf(job.id);
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
    async requeue(transaction, jobId) {
      // pg-boss counts every attempt. Sending the job again, with the attempts that are left, does not.
      const id = uuidOf(jobId);
      const db = dbOf(transaction);
      const [job] = await boss.findJobs(queueName, { id, db });
      await boss.deleteJob(queueName, id, { db });
      const group = { id: job!.groupId! };
      const retryLimit = job!.retryLimit - job!.retryCount;
      await boss.send(queueName, {}, { ...options, group, id, retryLimit, priority: 1, db });
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
    openJobs: `select 'se_' || replace(id::text, '-', '') as job_id, (state = 'active')::int as is_leased
      from ${schema}.job where name = '${queueName}' and state < 'completed'`,
    close: () => boss.stop({ graceful: false }),
  };
}

const dbOf = (transaction: Transaction): Db => ({
  executeSql: async (sql, params) => ({ rows: [...(await transaction.query(sql, params as readonly Param[]))] }),
});

/** A job's id contains the 32 digits of a UUID. */
const uuidOf = (jobId: string): string =>
  jobId.slice("se_".length).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

const jobIdOf = (uuid: string): string => `se_${uuid.replaceAll("-", "")}`;
