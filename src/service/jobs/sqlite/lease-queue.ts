import { randomInt } from "node:crypto";
import type { Database, Transaction } from "../sql/database.js";
import type { JobQueue } from "../sql/job-queue.js";

export interface LeaseQueueOptions {
  readonly database: Database;
  readonly leaseMs: number;
  /** The longest that a job is given back for, in milliseconds. */
  readonly longestBackoffMs: number;
  readonly now: () => number;
}

export const leaseTable = [
  `create table if not exists leases (
    place integer primary key autoincrement,
    job_id text not null unique,
    is_new integer not null,
    due_at integer not null,
    beats integer
  )`,
  "create index if not exists leases_waiting on leases (is_new, place) where beats is null",
];

/**
 * A row for each job that has not ended: who holds it counts up `beats`, in one that waits they are null. A holder is
 * silent when this process has watched the same count for a whole lease, so no two clocks are ever compared. Each begins
 * to count anywhere, so that it is not taken for an earlier one that died at the same count.
 */
export function createLeaseQueue(options: LeaseQueueOptions): JobQueue {
  const { database, leaseMs, longestBackoffMs, now } = options;
  let watched = new Map<string, { readonly beats: number; readonly since: number }>();
  const put = (transaction: Transaction, jobId: string, isNew: 0 | 1, dueAt: number) =>
    transaction.query(
      `insert into leases (job_id, is_new, due_at) values ($1, $2, $3)
       on conflict (job_id) do update set is_new = excluded.is_new, due_at = excluded.due_at, beats = null`,
      [jobId, isNew, dueAt],
    );

  return {
    async add(transaction, jobId) {
      await put(transaction, jobId, 1, 0);
    },
    async take(transaction) {
      // One that is due later than a back-off can last was given back before the clock was set back.
      const [row] = await transaction.query(
        `update leases set beats = $3 where job_id = (
           select job_id from leases where beats is null and (due_at <= $1 or due_at > $2)
           order by is_new, place limit 1
         ) returning job_id`,
        [now(), now() + longestBackoffMs, randomInt(2 ** 47)],
      );
      return row?.["job_id"] as string | undefined;
    },
    async touch(transaction, jobId) {
      const rows = await transaction.query(
        "update leases set beats = beats + 1 where job_id = $1 and beats is not null returning job_id",
        [jobId],
      );
      return rows.length > 0;
    },
    async giveBack(transaction, jobId, afterMs) {
      await put(transaction, jobId, 0, now() + afterMs);
    },
    async remove(transaction, jobId) {
      await transaction.query("delete from leases where job_id = $1", [jobId]);
    },
    async silent(held) {
      const before = watched;
      watched = new Map();
      const rows = await database.read("select job_id, beats from leases where beats is not null");
      const beatsOf = new Map(rows.map((row) => [row["job_id"] as string, row["beats"] as number]));
      return held.filter((jobId) => {
        // A job that is held and has no lease is nobody's.
        const beats = beatsOf.get(jobId);
        if (beats === undefined) return true;
        const last = before.get(jobId);
        const since = last?.beats === beats ? last.since : now();
        watched.set(jobId, { beats, since });
        return now() - since >= leaseMs;
      });
    },
  };
}
