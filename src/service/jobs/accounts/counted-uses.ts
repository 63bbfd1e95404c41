import { createHash, randomBytes } from "node:crypto";
import type { Database, Row, Transaction } from "../database/database.js";
import type { StoreDeps } from "../database/store-deps.js";
import type { BucketUses, Failures, Use } from "./account-store.js";

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

/** The uses in the buckets of `name` that begin at `since` or later, by the beginning of the bucket. */
export async function usesSince(database: Database, name: string, since: number): Promise<ReadonlyMap<number, number>> {
  const rows = await database.read("select starts_at, uses from use_buckets where name = $1 and starts_at >= $2", [
    name,
    since,
  ]);
  return new Map(rows.map((row) => [row["starts_at"] as number, row["uses"] as number]));
}

export async function addUses(database: Database, uses: readonly BucketUses[]): Promise<void> {
  // Concurrent transactions lock the rows in the same order.
  const sorted = uses.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.startsAt - b.startsAt));
  await database.transaction(async (transaction) => {
    for (const each of sorted)
      await transaction.query(
        `insert into use_buckets (name, starts_at, ends_at, uses) values ($1, $2, $3, $4)
         on conflict (name, starts_at) do update set uses = use_buckets.uses + excluded.uses`,
        [each.name, each.startsAt, each.endsAt, each.uses],
      );
  });
}

export async function saltOf(database: Database, name: string, endsAt: number): Promise<string> {
  const read = "select salt from salts where name = $1";
  const [existing] = await database.read(read, [name]);
  if (existing) return existing["salt"] as string;
  return database.transaction(async (transaction) => {
    await transaction.query(
      "insert into salts (name, salt, ends_at) values ($1, $2, $3) on conflict (name) do nothing",
      [name, randomBytes(32).toString("hex"), endsAt],
    );
    return (await transaction.query(read, [name]))[0]!["salt"] as string;
  });
}

/** Failures are forgotten this long after the last one, in milliseconds. */
const keptMs = 60 * 60_000;

/** Names contain what clients write, such as email addresses, so only their hashes are stored. */
const hashOf = (name: string): string => createHash("sha256").update(name).digest("hex");

export async function failuresOf({ database, now }: StoreDeps, name: string): Promise<Failures> {
  return read(database.read, name, now());
}

export async function countFailure(
  { database, now }: StoreDeps,
  names: readonly string[],
  waitMs: (failures: readonly Failures[]) => number,
): Promise<{ readonly waitMs: number; readonly before: readonly Failures[] }> {
  const at = now();
  return database.transaction(async (transaction) => {
    // The rows are locks, so that attempts at the same time count one after the other; always in the same order.
    for (const hash of names.map(hashOf).toSorted())
      await transaction.query(
        `insert into failures (name_hash, failures, last_at, ends_at) values ($1, 0, $2, $3)
         on conflict (name_hash) do update set name_hash = excluded.name_hash`,
        [hash, at, at + keptMs],
      );
    const before: Failures[] = [];
    for (const name of names) before.push(await read(transaction.query, name, at));
    const wait = waitMs(before);
    if (wait > 0) return { waitMs: wait, before };
    for (const [index, name] of names.entries())
      await write(transaction, name, { count: before[index]!.count + 1, lastAt: at });
    return { waitMs: 0, before };
  });
}

export async function takeBackFailure({ database, now }: StoreDeps, name: string, lastAt: number): Promise<void> {
  await database.transaction(async (transaction) => {
    const { count } = await read(transaction.query, name, now());
    if (count > 0) await write(transaction, name, { count: count - 1, lastAt });
  });
}

export async function forgetFailures(transaction: Transaction, names: readonly string[]): Promise<void> {
  for (const name of names) await transaction.query("delete from failures where name_hash = $1", [hashOf(name)]);
}

async function read(query: Database["read"] | Transaction["query"], name: string, now: number): Promise<Failures> {
  const sql = "select failures, last_at from failures where name_hash = $1 and ends_at > $2";
  const [row]: (Row | undefined)[] = [...(await query(sql, [hashOf(name), now]))];
  return {
    count: (row?.["failures"] as number | undefined) ?? 0,
    lastAt: (row?.["last_at"] as number | undefined) ?? 0,
  };
}

const write = (transaction: Transaction, name: string, { count, lastAt }: Failures) =>
  transaction.query("update failures set failures = $2, last_at = $3, ends_at = $4 where name_hash = $1", [
    hashOf(name),
    count,
    lastAt,
    lastAt + keptMs,
  ]);
