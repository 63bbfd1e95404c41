import { randomBytes, randomInt } from "node:crypto";
import type { Transaction } from "../database/database.js";
import { createLeaseWatch, type StoreDeps, workTopic } from "../database/store-deps.js";
import { jobOf } from "./job-rows.js";
import type { Lease, ShardLease, ShardStore } from "./job-store.js";

/**
 * One row per part. `queued`, `leased` and `made` are its states; `left`: too many attempts have failed; `taken`: the job's
 * worker has it. The holder of a lease increments `heartbeats`.
 */
export function createShardStore({ database, rules }: StoreDeps): ShardStore {
  const isHeld = async (transaction: Transaction, { job, workerId, fence }: Lease): Promise<boolean> => {
    const rows = await transaction.query(
      "select 1 as held from jobs where job_id = $1 and worker_id = $2 and attempt = $3 and finished_at is null",
      [job.jobId, workerId, fence],
    );
    return rows.length > 0;
  };
  /** Changes the part of a lease that is valid. @param change of its columns, with parameters from `$4` on. */
  const whileLeased = (lease: ShardLease, change: string, ...params: readonly number[]): Promise<boolean> =>
    database.transaction(async (transaction) => {
      const { job, index, fence } = lease;
      const rows = await transaction.query(
        `update shards set ${change} where job_id = $1 and shard = $2 and fence = $3 and state = 'leased' returning state`,
        [job.jobId, index, fence, ...params],
      );
      const state = rows[0]?.["state"];
      if (state !== undefined && state !== "leased") await transaction.notify(workTopic);
      return rows.length > 0;
    });

  return {
    split: (lease, count) =>
      database.transaction(async (transaction) => {
        if (!(await isHeld(transaction, lease))) return false;
        const { jobId } = lease.job;
        await transaction.query("delete from shards where job_id = $1", [jobId]);
        for (let index = 1; index <= count; index++)
          await transaction.query(
            "insert into shards (job_id, shard, shards, state, attempts, page_count) values ($1, $2, $3, 'queued', 0, 0)",
            [jobId, index, count],
          );
        await transaction.notify(workTopic);
        return true;
      }),
    next: (lease) =>
      database.transaction(async (transaction) => {
        await transaction.lock("shards");
        if (!(await isHeld(transaction, lease))) return { kind: "end" };
        const { jobId } = lease.job;
        const [row] = await transaction.query(
          `select shard, state from shards where job_id = $1 and state <> 'taken'
           order by case state when 'made' then 0 when 'leased' then 2 else 1 end, shard limit 1`,
          [jobId],
        );
        if (!row) return { kind: "end" };
        const state = row["state"] as string;
        if (state === "leased") return { kind: "wait" };
        const index = row["shard"] as number;
        await transaction.query("update shards set state = 'taken' where job_id = $1 and shard = $2", [jobId, index]);
        return { kind: state === "made" ? "made" : "make", index };
      }),
    async pagesOfOthers(jobId) {
      const [row] = await database.read(
        "select coalesce(sum(page_count), 0) as pages from shards where job_id = $1 and state in ('leased', 'made')",
        [jobId],
      );
      return Number(row!["pages"]);
    },

    take: (workerId, jobId) =>
      database.transaction(async (transaction) => {
        await transaction.lock("shards");
        const [row] = await transaction.query(
          `select jobs.*, shard, shards, (
             select count(*) from shards as others join jobs as theirs on theirs.job_id = others.job_id
             where others.state = 'leased' and theirs.organization_id = jobs.organization_id
           ) as leased
           from shards join jobs on jobs.job_id = shards.job_id
           where state = 'queued' and finished_at is null and ($1 = '' or jobs.job_id = $1)
           order by leased, jobs.position, shard limit 1`,
          [jobId ?? ""],
        );
        if (!row) return undefined;
        const job = jobOf(row);
        const [index, count] = [row["shard"] as number, row["shards"] as number];
        const fence = randomBytes(16).toString("hex");
        await transaction.query(
          `update shards set state = 'leased', worker_id = $3, fence = $4, heartbeats = $5, attempts = attempts + 1, page_count = 0
           where job_id = $1 and shard = $2`,
          [job.jobId, index, workerId, fence, randomInt(2 ** 47)],
        );
        return { job, index, count, workerId, fence };
      }),
    heartbeat: (lease, pageCount) =>
      whileLeased(lease, "heartbeats = heartbeats + 1, page_count = $4", Math.floor(pageCount) || 0),
    complete: (lease, pageCount) => whileLeased(lease, "state = 'made', page_count = $4", Math.floor(pageCount) || 0),
    fail: (lease) => whileLeased(lease, `${again("attempts")}, page_count = 0`, rules.maxAttempts),
    release: (lease) => whileLeased(lease, "state = 'queued', attempts = attempts - 1, page_count = 0"),
  };
}

/** @param attempts SQL. The limit is the parameter `$4`. */
const again = (attempts: string): string => `state = case when ${attempts} < $4 then 'queued' else 'left' end`;

/** Expires leases of parts, as the queue does it for jobs. */
export function createShardExpiry({ database, rules, steadyNow }: StoreDeps): () => Promise<number> {
  const findExpired = createLeaseWatch(rules.leaseMs, steadyNow);
  return async () => {
    let expired = 0;
    const leases = await database.read(
      "select job_id, shard, fence as lease, heartbeats as heartbeat from shards where state = 'leased'",
    );
    for (const { job_id: jobId, shard, lease, heartbeat } of findExpired(leases)) {
      const rows = await database.transaction(async (transaction) => {
        await transaction.notify(workTopic);
        return transaction.query(
          `update shards set ${again("attempts")}, page_count = 0
           where job_id = $1 and shard = $2 and fence = $3 and state = 'leased' and heartbeats = $5 returning shard`,
          [jobId, shard, lease, rules.maxAttempts, heartbeat],
        );
      });
      expired += rows.length;
    }
    return expired;
  };
}
