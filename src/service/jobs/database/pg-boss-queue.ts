import type { Db } from "pg-boss";
import type { JobRules } from "../queue/job-store.js";
import type { Param, Transaction } from "./database.js";
import type { PostgresDatabase } from "./postgres-database.js";
import type { JobQueue, QueuedJob, SteadyClock } from "./store-deps.js";
import { createLeaseWatch } from "./store-deps.js";

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
  steadyNow: SteadyClock,
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
    const early = `name = '${queueName}' and state < 'active'
      and start_after > ${schema}.job_now() + interval '${longestBackoffSeconds} s'`;
    const [row] = await database.read(`select id::text as id from ${schema}.job where ${early} limit 1`);
    if (row)
      await database.transaction((transaction) =>
        transaction.query(`update ${schema}.job set start_after = ${schema}.job_now() where ${early}`),
      );
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
      // pg-boss also ends an attempt by its age, which is wrong after a step of the server's clock. `jobs` counts the age.
      const renewed = await transaction.query(
        `update ${schema}.job set heartbeat_on = ${schema}.job_now(), started_on = ${schema}.job_now()
         where name = $1 and id = $2 and state = 'active' returning id`,
        [queueName, uuidOf(jobId)],
      );
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
      for (const { lease, heartbeat } of findExpired(await database.read(leases)))
        await database.transaction(async (transaction) => {
          const held = await transaction.query(`${leases} and id = $1 and ${heartbeatText} = $2 for update`, [
            lease,
            heartbeat,
          ]);
          const output = { message: "The lease has expired." };
          if (held.length > 0) await boss.fail(queueName, lease as string, output, { db: dbOf(transaction) });
        });
      // The last error of pg-boss is thrown here, to be logged.
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

const heartbeatText = "coalesce(heartbeat_on, started_on)::text";
const leases = `select id::text as lease, ${heartbeatText} as heartbeat from ${schema}.job
  where name = '${queueName}' and state = 'active'`;

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
