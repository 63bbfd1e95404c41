import { createHash } from "node:crypto";
import type { Failures } from "../account-store.js";
import type { Database, Row, Transaction } from "./database.js";
import type { StoreDeps } from "./store-deps.js";

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
