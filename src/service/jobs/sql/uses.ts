import type { Use } from "../account-store.js";
import type { Database, Row, Transaction } from "./database.js";
import type { StoreDeps } from "./store-deps.js";

/**
 * Counts in a sliding window: each use has its own row, which counts until it ends. One that ends later than a window
 * from now, with as much again for clocks that differ, is from before the clock was set back, and does not count.
 */
export async function countUse(deps: StoreDeps, key: string, limit: number, windowMs: number): Promise<Use> {
  const now = deps.now();
  const isFull = (used: Row): boolean => (used["count"] as number) >= limit;
  // The clock of the process that counted may be ahead.
  const full = (used: Row): Use => ({ left: 0, resetsAt: new Date(Math.min(used["next"] as number, now + windowMs)) });
  const before = await usesOf(deps.database.read, key, now, windowMs);
  if (isFull(before)) return full(before);
  return deps.database.transaction(async (transaction) => {
    // The row of the key is a lock: concurrent transactions count one after the other.
    await transaction.query(
      `insert into uses (use_key, ends_at, uses) values ($1, $2, 0)
       on conflict (use_key) do update set ends_at = excluded.ends_at`,
      [`recent ${key}`, now + windowMs],
    );
    const used = await usesOf(transaction.query, key, now, windowMs);
    if (isFull(used)) return full(used);
    const [row] = await transaction.query(
      "insert into recent_uses (use_key, ends_at) values ($1, $2) returning use_id",
      [key, now + windowMs],
    );
    const resetsAt = new Date((used["next"] as number | null) ?? now + windowMs);
    return { useId: row!["use_id"] as number, left: limit - (used["count"] as number) - 1, resetsAt };
  });
}

export async function releaseUse(deps: StoreDeps, useId: number): Promise<void> {
  await deps.database.transaction((transaction) =>
    transaction.query("delete from recent_uses where use_id = $1", [useId]),
  );
}

/** The number of uses in the window, and when the oldest one ends. */
async function usesOf(
  query: Database["read"] | Transaction["query"],
  key: string,
  now: number,
  windowMs: number,
): Promise<Row> {
  const sql = `select count(*) as count, min(ends_at) as next from recent_uses
    where use_key = $1 and ends_at > $2 and ends_at <= $3`;
  return (await query(sql, [key, now, now + 2 * windowMs]))[0]!;
}
