import type { Db, PgBoss } from "pg-boss";
import type { JobRules } from "../job-store.js";
import type { Param, Transaction } from "../sql/database.js";
import type { JobQueue } from "../sql/job-queue.js";
import type { PostgresDatabase } from "./postgres-database.js";

const queueName = "exports";
/** Shortest and longest that pg-boss watches, in seconds. */
const shortestHeartbeat = 10;
const longestRun = 24 * 60 * 60;

export interface BossQueue extends JobQueue {
  close(): Promise<void>;
}

/**
 * pg-boss says who may have a job, knows by its heartbeat who has died, and counts the time until the next attempt; its
 * clock is the server's. Whether there is a next attempt is for our row to say, so each is a job of its own there, with
 * the id that ours has.
 */
export async function openBossQueue(
  database: PostgresDatabase,
  rules: JobRules,
  now: () => number,
): Promise<BossQueue> {
  const { PgBoss: Boss } = await import("pg-boss");
  const boss = new Boss({
    db: { executeSql: (sql, params) => database.execute(sql, params) },
    schema: "offprint_queue",
    schedule: false,
    // `silent` does it, in its own time.
    supervise: false,
    monitorIntervalSeconds: 1,
  });
  // Of its own upkeep: tried again in its next round. What concerns a call is thrown by the call.
  boss.on("error", () => {});
  await boss.start();
  await boss.createQueue(queueName);

  const options = {
    retryLimit: 0,
    heartbeatSeconds: Math.max(shortestHeartbeat, Math.ceil(rules.leaseMs / 1000)),
    expireInSeconds: Math.min(longestRun, Math.ceil((rules.deadlineMs + rules.leaseMs) / 1000)),
    retentionSeconds: 365 * 24 * 60 * 60,
  };

  return {
    async add(transaction, jobId) {
      await boss.send(queueName, {}, { ...options, id: uuidOf(jobId), db: dbOf(transaction) });
    },
    async take(transaction) {
      const [job] = await boss.fetch(queueName, { db: dbOf(transaction) });
      return job && jobIdOf(job.id);
    },
    async touch(transaction, jobId) {
      const touched = await boss.touch(queueName, uuidOf(jobId), { db: dbOf(transaction) });
      return (touched as { readonly affected: number }).affected > 0;
    },
    async giveBack(transaction, jobId, afterMs) {
      const id = uuidOf(jobId);
      const db = dbOf(transaction);
      await boss.deleteJob(queueName, id, { db });
      await boss.send(queueName, {}, { ...options, id, priority: 1, startAfter: new Date(now() + afterMs), db });
    },
    async remove(transaction, jobId) {
      await boss.deleteJob(queueName, uuidOf(jobId), { db: dbOf(transaction) });
    },
    async silent(held) {
      await boss.supervise(queueName);
      const states = await Promise.all(held.map(async (jobId) => stateOf(boss, jobId)));
      return held.filter((_, index) => states[index] !== "active");
    },
    close: () => boss.stop({ graceful: false }),
  };
}

const stateOf = async (boss: PgBoss, jobId: string): Promise<string | undefined> =>
  (await boss.findJobs(queueName, { id: uuidOf(jobId) }))[0]?.state;

const dbOf = (transaction: Transaction): Db => ({
  executeSql: async (sql, params) => ({ rows: [...(await transaction.query(sql, params as readonly Param[]))] }),
});

/** A job's id holds the 32 digits of a UUID. */
const uuidOf = (jobId: string): string =>
  jobId.slice("se_".length).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

const jobIdOf = (uuid: string): string => `se_${uuid.replaceAll("-", "")}`;
