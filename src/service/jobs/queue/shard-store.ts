import { randomBytes, randomInt } from "node:crypto";
import { raw, type Sql, sql, type Transaction } from "../database/database.js";
import { createLeaseWatch, type StoreDeps, workTopic } from "../database/store-deps.js";
import type { Job, JobRules, Lease } from "./job.js";
import { jobOf } from "./job-rows.js";

export interface ShardLease {
  readonly job: Job;
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
  readonly workerId: string;
  /** Fencing token, unique for each take of the part. */
  readonly fence: string;
}

export type ShardStep =
  | { readonly kind: "make" | "made"; readonly index: number }
  /** Other workers have all that is left. */
  | { readonly kind: "wait" }
  /** Every part has been given to the job's worker, or its lease is lost. */
  | { readonly kind: "end" };

/**
 * One row per part. `queued`, `leased` and `made` are its states; `left`: too many attempts have failed; `taken`: the
 * job's worker has it. The holder of a lease increments `heartbeats`.
 */
export type ShardStore = ReturnType<typeof createShardStore>;

export function createShardStore({ database, rules }: StoreDeps) {
  const isHeld = async (transaction: Transaction, { job, workerId, fence }: Lease): Promise<boolean> => {
    const rows = await transaction.query`select 1 as one from jobs
      where job_id = ${job.jobId} and worker_id = ${workerId} and attempt = ${fence} and finished_at is null`;
    return rows.length > 0;
  };
  /** Changes columns of the part, if the lease is valid. */
  const whileLeased = ({ job, index, fence }: ShardLease, change: Sql): Promise<boolean> =>
    database.transaction(async (transaction) => {
      const rows = await transaction.query`update shards set ${change}
        where job_id = ${job.jobId} and shard = ${index} and fence = ${fence} and state = 'leased' returning state`;
      const state = rows[0]?.["state"];
      if (state !== undefined && state !== "leased") await transaction.notify(workTopic);
      return rows.length > 0;
    });

  return {
    /** Splits the job of the lease, and deletes its earlier parts. False if the lease is lost. */
    split: (lease: Lease, count: number): Promise<boolean> =>
      database.transaction(async (transaction) => {
        if (!(await isHeld(transaction, lease))) return false;
        const { jobId } = lease.job;
        await transaction.query`delete from shards where job_id = ${jobId}`;
        for (let index = 1; index <= count; index++)
          await transaction.query`insert into shards (job_id, shard, shards, state, attempts, page_count)
            values (${jobId}, ${index}, ${count}, 'queued', 0, 0)`;
        await transaction.notify(workTopic);
        return true;
      }),
    /** The next step of the job's worker. It gets each part once: to make it, or to take it over. */
    next: (lease: Lease): Promise<ShardStep> =>
      database.transaction(async (transaction) => {
        await transaction.lock("shards");
        if (!(await isHeld(transaction, lease))) return { kind: "end" };
        const { jobId } = lease.job;
        const [row] = await transaction.query`select shard, state from shards
          where job_id = ${jobId} and state <> 'taken'
          order by case state when 'made' then 0 when 'leased' then 2 else 1 end, shard limit 1`;
        if (!row) return { kind: "end" };
        const state = row["state"] as string;
        if (state === "leased") return { kind: "wait" };
        const index = row["shard"] as number;
        await transaction.query`update shards set state = 'taken' where job_id = ${jobId} and shard = ${index}`;
        return { kind: state === "made" ? "made" : "make", index };
      }),
    /** Pages of the parts that other workers make or have made, without those that have been taken over. */
    async pagesOfOthers(jobId: string): Promise<number> {
      const [row] = await database.read`select coalesce(sum(page_count), 0) as pages from shards
        where job_id = ${jobId} and state in ('leased', 'made')`;
      return Number(row!["pages"]);
    },

    /** Leases a part: of the organization with the fewest, then of the oldest job. @param jobId only of this job. */
    take: (workerId: string, jobId?: string): Promise<ShardLease | undefined> =>
      database.transaction(async (transaction) => {
        await transaction.lock("shards");
        const isOfJob = jobId === undefined ? raw("true") : sql`jobs.job_id = ${jobId}`;
        const [row] = await transaction.query`select jobs.*, shard, shards, (
            select count(*) from shards as others join jobs as theirs on theirs.job_id = others.job_id
            where others.state = 'leased' and theirs.organization_id = jobs.organization_id
          ) as leased
          from shards join jobs on jobs.job_id = shards.job_id
          where state = 'queued' and finished_at is null and ${isOfJob}
          order by leased, jobs.position, shard limit 1`;
        if (!row) return undefined;
        const job = jobOf(row);
        const [index, count] = [row["shard"] as number, row["shards"] as number];
        const fence = randomBytes(16).toString("hex");
        await transaction.query`update shards
          set state = 'leased', worker_id = ${workerId}, fence = ${fence}, heartbeats = ${randomInt(2 ** 47)},
            attempts = attempts + 1, page_count = 0
          where job_id = ${job.jobId} and shard = ${index}`;
        return { job, index, count, workerId, fence };
      }),
    /** Renews the lease. False if it is lost, since the job has ended or another worker has the part: stop the work. */
    heartbeat: (lease: ShardLease, pageCount: number) =>
      whileLeased(lease, sql`heartbeats = heartbeats + 1, page_count = ${Math.floor(pageCount) || 0}`),
    /** Call it once the pages of the part are in the store of the site. False if the lease is lost. */
    complete: (lease: ShardLease, pageCount: number) =>
      whileLeased(lease, sql`state = 'made', page_count = ${Math.floor(pageCount) || 0}`),
    /** Lets another worker try the part, up to `rules.maxAttempts` times in all. False if the lease is lost. */
    fail: (lease: ShardLease) => whileLeased(lease, afterFailure(rules)),
    /** As `fail`, without counting the attempt: this worker shuts down. */
    release: (lease: ShardLease) => whileLeased(lease, sql`state = 'queued', attempts = attempts - 1, page_count = 0`),
  };
}

const afterFailure = ({ maxAttempts }: JobRules): Sql =>
  sql`state = case when attempts < ${maxAttempts} then 'queued' else 'left' end, page_count = 0`;

/** Expires leases of parts, as the queue does it for jobs. */
export function createShardExpiry({ database, rules, steadyNow }: StoreDeps): () => Promise<void> {
  const findExpired = createLeaseWatch(rules.leaseMs, steadyNow);
  return async () => {
    const leases = await database.read`select job_id, shard, fence as lease, heartbeats as heartbeat from shards
      where state = 'leased'`;
    for (const { job_id: jobId, shard, lease, heartbeat } of findExpired(leases))
      await database.transaction(async (transaction) => {
        await transaction.notify(workTopic);
        await transaction.query`update shards set ${afterFailure(rules)} where job_id = ${jobId} and shard = ${shard}
          and fence = ${lease} and state = 'leased' and heartbeats = ${heartbeat}`;
      });
  };
}
