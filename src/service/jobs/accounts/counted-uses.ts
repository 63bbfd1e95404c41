import { hash, randomBytes } from "node:crypto";
import type { Query, Row, Transaction } from "../database/database.js";
import type { StoreDeps } from "../database/store-deps.js";

/** Attempts that failed. */
export interface Failures {
  readonly count: number;
  /** When the last one was counted, in milliseconds since 1970; 0 without one. */
  readonly lastAt: number;
}

/** Uses that are counted together, for limits with many uses. */
export interface BucketUses {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly startsAt: number;
  /** When the bucket no longer counts and is deleted. */
  readonly endsAt: number;
  readonly uses: number;
}

export interface Use {
  /** Undefined if the limit is reached: then nothing was counted. */
  readonly useId?: number;
  /** Further uses within the limit. */
  readonly left: number;
  /** When the oldest counted use leaves the window. */
  readonly resetsAt: Date;
}

/** Failures are forgotten this long after the last one, in milliseconds. */
const failureMs = 60 * 60_000;

/** Counts uses and failed attempts, for limits. Every call is one transaction. */
export function createCountedUses({ database, now }: Pick<StoreDeps, "database" | "now">) {
  return {
    /**
     * Counts one use of `key`, unless it was used `limit` times within the last `windowMs`: in a sliding window, in which
     * each use has its own row, which counts until it ends. A row that ends later than two windows from now is from
     * before the clock was set back, and does not count; the second window allows for clocks that differ.
     */
    async countUse(key: string, limit: number, windowMs: number): Promise<Use> {
      const time = now();
      const isFull = (used: Row): boolean => (used["count"] as number) >= limit;
      // The clock of the process that counted may be ahead.
      const full = (used: Row): Use => ({
        left: 0,
        resetsAt: new Date(Math.min(used["next"] as number, time + windowMs)),
      });
      const usesIn = async (query: Query): Promise<Row> => {
        const [uses] = await query`select count(*) as count, min(ends_at) as next from recent_uses
          where use_key = ${key} and ends_at > ${time} and ends_at <= ${time + 2 * windowMs}`;
        return uses!;
      };
      const before = await usesIn(database.read);
      if (isFull(before)) return full(before);
      return database.transaction(async ({ query, lock }) => {
        // Concurrent transactions count one after the other.
        await lock(`uses of ${key}`);
        const used = await usesIn(query);
        if (isFull(used)) return full(used);
        const [row] =
          await query`insert into recent_uses (use_key, ends_at) values (${key}, ${time + windowMs}) returning use_id`;
        const resetsAt = new Date((used["next"] as number | null) ?? time + windowMs);
        return { useId: row!["use_id"] as number, left: limit - (used["count"] as number) - 1, resetsAt };
      });
    },
    /** Uncounts a use. */
    async releaseUse(useId: number): Promise<void> {
      await database.write`delete from recent_uses where use_id = ${useId}`;
    },
    /** Uses in the buckets of `name` that begin at `since` or later, by the beginning of the bucket. */
    async usesSince(name: string, since: number): Promise<ReadonlyMap<number, number>> {
      const rows =
        await database.read`select starts_at, uses from use_buckets where name = ${name} and starts_at >= ${since}`;
      return new Map(rows.map((row) => [row["starts_at"] as number, row["uses"] as number]));
    },
    async addUses(buckets: readonly BucketUses[]): Promise<void> {
      // Concurrent transactions lock the rows in the same order.
      const sorted = buckets.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.startsAt - b.startsAt));
      await database.transaction(async ({ query }) => {
        for (const { name, startsAt, endsAt, uses } of sorted)
          await query`insert into use_buckets (name, starts_at, ends_at, uses)
            values (${name}, ${startsAt}, ${endsAt}, ${uses})
            on conflict (name, starts_at) do update set uses = use_buckets.uses + excluded.uses`;
      });
    },
    /** A random text that all processes share until `endsAt`, in milliseconds since 1970. */
    async salt(name: string, endsAt: number): Promise<string> {
      const stored = async (query: Query): Promise<string | undefined> =>
        (await query`select salt from salts where name = ${name}`)[0]?.["salt"] as string | undefined;
      return (
        (await stored(database.read)) ??
        (await database.transaction(async ({ query }) => {
          await query`insert into salts (name, salt, ends_at)
            values (${name}, ${randomBytes(32).toString("hex")}, ${endsAt}) on conflict (name) do nothing`;
          return (await stored(query))!;
        }))
      );
    },

    /** Failures under a name, without those that are forgotten: an hour after the last one. */
    failures: (name: string): Promise<Failures> => failuresOf(database.read, name, now()),
    /**
     * Counts a failure under each name before it is known whether the attempt fails, so that many attempts at once are
     * no way around a limit. Counts nothing if `waitMs` of the failures so far, in the order of `names`, is above 0.
     */
    countFailure(
      names: readonly string[],
      waitMs: (failures: readonly Failures[]) => number,
    ): Promise<{ readonly waitMs: number; readonly before: readonly Failures[] }> {
      const at = now();
      return database.transaction(async ({ query }) => {
        // The rows are locks, so that concurrent attempts count one after the other; always in the same order.
        for (const hash of names.map(nameHash).toSorted())
          await query`insert into failures (name_hash, failures, last_at, ends_at)
            values (${hash}, 0, ${at}, ${at + failureMs})
            on conflict (name_hash) do update set name_hash = excluded.name_hash`;
        const before: Failures[] = [];
        for (const name of names) before.push(await failuresOf(query, name, at));
        const wait = waitMs(before);
        if (wait > 0) return { waitMs: wait, before };
        for (const [index, name] of names.entries())
          await setFailures(query, name, { count: before[index]!.count + 1, lastAt: at });
        return { waitMs: 0, before };
      });
    },
    /** Uncounts a failure; `lastAt` is the time of the failure before it. */
    takeBackFailure: (name: string, lastAt: number): Promise<void> =>
      database.transaction(async ({ query }) => {
        const { count } = await failuresOf(query, name, now());
        if (count > 0) await setFailures(query, name, { count: count - 1, lastAt });
      }),
    forgetFailures: (names: readonly string[]): Promise<void> =>
      database.transaction((transaction) => forgetFailures(transaction, names)),
  };
}

/** Names contain what clients write, such as email addresses, so only their hashes are stored. */
const nameHash = (name: string): string => hash("sha256", name);

async function failuresOf(query: Query, name: string, now: number): Promise<Failures> {
  const [row] = await query`select failures, last_at from failures
    where name_hash = ${nameHash(name)} and ends_at > ${now}`;
  return { count: (row?.["failures"] ?? 0) as number, lastAt: (row?.["last_at"] ?? 0) as number };
}

export async function forgetFailures({ query }: Transaction, names: readonly string[]): Promise<void> {
  for (const name of names) await query`delete from failures where name_hash = ${nameHash(name)}`;
}

const setFailures = (query: Query, name: string, { count, lastAt }: Failures) =>
  query`update failures set failures = ${count}, last_at = ${lastAt}, ends_at = ${lastAt + failureMs}
    where name_hash = ${nameHash(name)}`;
