import { randomBytes } from "node:crypto";
import type { BucketUses } from "../account-store.js";
import type { Database } from "./database.js";

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
