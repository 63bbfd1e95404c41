import type { Db } from "pg-boss";
import { raw, sql, type Transaction } from "./database.js";
import type { PostgresDatabase } from "./postgres-database.js";
import type { PostgresTransaction } from "./postgres-transaction.js";
import { createLeaseWatch, type JobQueue, type QueuedJob, type StoreDeps } from "./store-deps.js";

const queueName = "exports";
const schema = "offprint_queue";
const queueTable = raw(`${schema}.job`);
/** The server's clock, as pg-boss reads it. */
const queueNow = raw(`${schema}.job_now()`);
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
  { rules, steadyNow }: Pick<StoreDeps, "rules" | "steadyNow">,
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

  // pg-boss expires leases by the server's clock. After that clock was set back, it would do so too late.
  const findExpired = createLeaseWatch(options.heartbeatSeconds * 1000, steadyNow);
  const longestBackoffSeconds = 2 * options.retryDelay * 2 ** rules.maxAttempts;
  /** Jobs that are due later than any back-off ends were queued before the server's clock was set back. */
  const endWaitsBeforeStep = async (): Promise<void> => {
    const early = sql`name = ${queueName} and state < 'active'
      and start_after > ${queueNow} + ${longestBackoffSeconds} * interval '1 s'`;
    const [row] = await database.read`select id::text as id from ${queueTable} where ${early} limit 1`;
    if (row) await database.write`update ${queueTable} set start_after = ${queueNow} where ${early}`;
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
      return (await boss.fetch(queueName, { minPriority: priority, maxPriority: priority, db })).length > 0;
    },
    async renew(transaction, jobId) {
      // pg-boss also ends an attempt by its age, which is wrong after a step of the server's clock. `jobs` counts the age.
      const renewed =
        await transaction.query`update ${queueTable} set heartbeat_on = ${queueNow}, started_on = ${queueNow}
        where name = ${queueName} and id = ${uuidOf(jobId)} and state = 'active' returning id`;
      return renewed.length > 0;
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
      await endWaitsBeforeStep();
      for (const { lease, heartbeat } of findExpired(await database.read`${leases}`))
        await database.transaction(async (transaction) => {
          const held =
            await transaction.query`${leases} and id = ${lease} and ${heartbeatText} = ${heartbeat} for update`;
          const output = { message: "The lease has expired." };
          if (held.length > 0) await boss.fail(queueName, lease as string, output, { db: dbOf(transaction) });
        });
      // The last error of pg-boss is thrown here, to be logged.
      const error = fault;
      fault = undefined;
      if (error) throw error;
    },
    // "failed" here means that the lease of the last attempt expired; other failed jobs are finished in `jobs`.
    isLeased: sql`(select (state = 'active')::int ${ofRow} and (state < 'completed' or state = 'failed'))`,
    isDue: () => sql`(select state < 'active' and start_after <= ${queueNow} ${ofRow})`,
    close: () => boss.stop({ graceful: false }),
  };
}

const heartbeatText = raw("coalesce(heartbeat_on, started_on)::text");
const leases = sql`select id::text as lease, ${heartbeatText} as heartbeat from ${queueTable}
  where name = ${queueName} and state = 'active'`;

/** The queue's row of a row of `jobs`. */
const ofRow = sql`from ${queueTable} where name = ${queueName} and id = substr(jobs.job_id, 4)::uuid`;

const dbOf = (transaction: Transaction): Db => ({
  executeSql: async (text, params) => ({
    rows: [...(await (transaction as PostgresTransaction).execute(text, params))],
  }),
});

/** `fetch` takes no id, but a range of priorities, so each job has its own. */
const priorityOf = ({ position }: QueuedJob): number => -1 - (position % (2 ** 31 - 1));

/** A job's id contains the 32 digits of a UUID. */
const uuidOf = (jobId: string): string =>
  jobId.slice("se_".length).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
