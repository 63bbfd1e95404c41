import { randomInt } from "node:crypto";
import { type Database, type Row, sql, type Transaction } from "./database.js";
import type { SteadyClock, StoreDeps } from "./store-deps.js";

export type JobQueue = ReturnType<typeof createJobQueue>;

/**
 * Leases jobs to workers, and decides when a failed job is tried again. The outcome is recorded in the row of `jobs`.
 * A call is part of the caller's transaction, and precedes changes to the job's row where it can, so that two processes
 * seldom deadlock.
 *
 * The table `queue` has one row per unfinished job. The holder of a lease increments `heartbeats`, which is null while
 * the job waits. The first count is random, so that a new lease is not mistaken for an expired one.
 */
export function createJobQueue(
  database: Pick<Database, "read" | "write">,
  { rules: { maxAttempts, backoffMs, leaseMs }, now, steadyNow }: Pick<StoreDeps, "rules" | "now" | "steadyNow">,
) {
  const longestBackoffMs = backoffMs * 2 ** maxAttempts;
  const findExpired = createLeaseWatch(leaseMs, steadyNow);
  const ofJob = sql`from queue where queue.job_id = jobs.job_id`;
  /** No worker gets the job from now on. */
  const end = async ({ query }: Transaction, jobId: string): Promise<void> => {
    await query`delete from queue where job_id = ${jobId}`;
  };

  return {
    async add({ query }: Transaction, jobId: string): Promise<void> {
      await query`insert into queue (job_id) values (${jobId})`;
    },
    /** Leases a job that is due. False if another worker has it, or if it was cancelled. */
    async lease({ query }: Transaction, jobId: string): Promise<boolean> {
      const rows = await query`update queue set heartbeats = ${randomInt(2 ** 47)}, attempts = attempts + 1
        where job_id = ${jobId} and heartbeats is null returning job_id`;
      return rows.length > 0;
    },
    /** Extends the lease, which cannot expire before the transaction ends. False if it has expired. */
    async renew({ query }: Transaction, jobId: string): Promise<boolean> {
      const rows = await query`update queue set heartbeats = heartbeats + 1
        where job_id = ${jobId} and heartbeats is not null returning job_id`;
      return rows.length > 0;
    },
    /** Ends a leased attempt; the job is due again after the back-off. False if that was the last attempt. */
    async retry(transaction: Transaction, jobId: string): Promise<boolean> {
      const retried = await transaction.query`update queue set heartbeats = null,
          due_at = cast(${now()} as bigint) + cast(${backoffMs} as bigint) * (1 << (attempts - 1))
        where job_id = ${jobId} and attempts < ${maxAttempts} returning job_id`;
      if (retried.length === 0) await end(transaction, jobId);
      return retried.length > 0;
    },
    /** Ends an attempt, or records the end of its expired lease, without counting it; the job is due after `delayMs`. */
    async requeue({ query }: Transaction, jobId: string, delayMs: number): Promise<void> {
      await query`update queue
        set heartbeats = null, due_at = ${delayMs === 0 ? 0 : now() + delayMs}, attempts = attempts - 1
        where job_id = ${jobId}`;
    },
    end,
    async expireLeases(): Promise<void> {
      const leases = await database.read`select queue.job_id as lease, heartbeats as heartbeat from jobs
        join queue on queue.job_id = jobs.job_id where worker_id is not null and heartbeats is not null`;
      for (const { lease, heartbeat } of findExpired(leases))
        await database.write`update queue set heartbeats = null where job_id = ${lease} and heartbeats = ${heartbeat}`;
    },
    /** For a row of `jobs`: 1 if a worker has the job, 0 if one may get it, null if the queue has lost it. */
    isLeased: sql`(select case when heartbeats is null then 0 else 1 end ${ofJob})`,
    /**
     * Whether `lease` succeeds for the job in a row of `jobs`. A due time beyond the longest back-off means that the clock
     * was set back.
     */
    isDue: (time: number) =>
      sql`(select heartbeats is null and (due_at <= ${time} or due_at > ${time + longestBackoffMs}) ${ofJob})`,
  };
}

/**
 * Finds expired leases: this process has seen the same heartbeat for `leaseMs`. It compares no clocks, so a step of a
 * clock neither expires a lease nor extends one.
 *
 * @returns a function to call at intervals with all leases, as rows with the columns `lease` and `heartbeat`.
 *   `heartbeat` changes with each heartbeat. `lease` is unique, or else a new lease begins with another `heartbeat`.
 */
export function createLeaseWatch(leaseMs: number, steadyNow: SteadyClock): (leases: readonly Row[]) => readonly Row[] {
  let seen = new Map<Row[string], { readonly heartbeat: Row[string]; readonly since: number }>();
  return (leases) => {
    const before = seen;
    seen = new Map();
    return leases.filter((row) => {
      const [lease, heartbeat] = [row["lease"]!, row["heartbeat"]!];
      const last = before.get(lease);
      const since = last?.heartbeat === heartbeat ? last.since : steadyNow();
      seen.set(lease, { heartbeat, since });
      return steadyNow() - since >= leaseMs;
    });
  };
}
