import type { Log } from "../../lib/log.js";
import type { AccountStore } from "../jobs/index.js";

/** Uses count within the current bucket and those before it. */
export interface Window {
  readonly bucketMs: number;
  readonly buckets: number;
}

interface Use {
  /** Seconds until another use is allowed; 0: this one was counted. */
  readonly retrySeconds: number;
  /** Uses that are left. */
  readonly left: number;
  /** Seconds until some uses no longer count. */
  readonly resetSeconds: number;
}

interface Tally {
  readonly window: Window;
  /** Uses in the database, by the beginning of the bucket. */
  stored: Map<number, number>;
  readonly unwritten: Map<number, number>;
  readAt: number;
  reading?: Promise<void>;
}

/** How often the counts of other processes are read, and those of this one are written. */
const readMs = 1000;
const writeMs = 250;
/** Names that are remembered; the oldest ones are forgotten. */
const maxNames = 10_000;

/**
 * Counts uses for limits that many requests share. They are counted in this process; at intervals they are written to
 * the database, and those of other processes are read. So a request costs no transaction, and processes may together
 * exceed a limit by what they count within a second.
 *
 * @param now milliseconds since 1970.
 */
export function createUseTallies(accounts: Pick<AccountStore, "usesSince" | "addUses">, now: () => number, log: Log) {
  const tallies = new Map<string, Tally>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  /** Changes at the beginning and at the end of a write. */
  let writes = 0;

  async function tallyOf(name: string, window: Window): Promise<Tally> {
    const existing = tallies.get(name);
    const tally: Tally = existing ?? {
      window,
      stored: new Map(),
      unwritten: new Map(),
      readAt: Number.NEGATIVE_INFINITY,
    };
    if (!existing) {
      tallies.set(name, tally);
      forgetOldest();
    }
    if (Math.abs(now() - tally.readAt) >= readMs) {
      tally.reading ??= read(name, tally);
      await tally.reading;
    }
    return tally;
  }

  async function read(name: string, tally: Tally): Promise<void> {
    try {
      for (;;) {
        await writing;
        const before = writes;
        const stored = await accounts.usesSince(name, firstBucket(tally.window, now()));
        // Uses that were written meanwhile would count twice, or not at all.
        if (writes !== before) continue;
        tally.stored = new Map(stored);
        tally.readAt = now();
        return;
      }
    } finally {
      tally.reading = undefined;
    }
  }

  function forgetOldest(): void {
    if (tallies.size <= maxNames) return;
    for (const [name, { unwritten, reading }] of tallies)
      if (unwritten.size === 0 && !reading) return void tallies.delete(name);
  }

  async function write(): Promise<void> {
    timer = undefined;
    await writing;
    const taken = [...tallies].flatMap(([name, tally]) =>
      [...tally.unwritten].map(([startsAt, uses]) => ({ name, tally, startsAt, uses })),
    );
    writes++;
    writing = accounts
      .addUses(
        taken.map(({ name, tally, startsAt, uses }) => ({
          name,
          startsAt,
          uses,
          endsAt: endOf(startsAt, tally.window),
        })),
      )
      .then(() => {
        for (const { tally, startsAt, uses } of taken) {
          increase(tally.stored, startsAt, uses);
          const rest = tally.unwritten.get(startsAt)! - uses;
          if (rest > 0) tally.unwritten.set(startsAt, rest);
          else tally.unwritten.delete(startsAt);
        }
      })
      .catch((error: unknown) => {
        log("warn", "failed to store the assistant's usage, retrying", { error: String(error) });
        schedule();
      })
      .finally(() => {
        writes++;
        writing = undefined;
      });
  }

  function schedule(): void {
    if (timer === undefined) timer = setTimeout(() => void write(), writeMs).unref();
  }

  return {
    /** Counts one use, unless there are `limit` within the window. */
    async take(name: string, window: Window, limit: number): Promise<Use> {
      const tally = await tallyOf(name, window);
      const retrySeconds = secondsUntil(tally, limit, now());
      if (retrySeconds === 0) {
        increase(tally.unwritten, bucketOf(window, now()), 1);
        schedule();
      }
      const used = usedWithin(tally, now());
      const resetsAt = endOf(Math.min(...used.keys(), bucketOf(window, now())), window);
      return {
        retrySeconds,
        left: Math.max(0, limit - sumOf(used)),
        resetSeconds: Math.ceil((resetsAt - now()) / 1000),
      };
    },
    /** Counts nothing. */
    async wait(name: string, window: Window, limit: number): Promise<number> {
      return limit === Number.POSITIVE_INFINITY ? 0 : secondsUntil(await tallyOf(name, window), limit, now());
    },
    async add(name: string, window: Window, uses: number): Promise<void> {
      if (uses === 0) return;
      increase((await tallyOf(name, window)).unwritten, bucketOf(window, now()), uses);
      schedule();
    },
  };
}

function secondsUntil(tally: Tally, limit: number, now: number): number {
  const used = usedWithin(tally, now);
  let excess = sumOf(used) - limit;
  let freeAt = now;
  for (const startsAt of [...used.keys()].sort((a, b) => a - b)) {
    if (excess < 0) break;
    excess -= used.get(startsAt)!;
    freeAt = endOf(startsAt, tally.window);
  }
  return Math.ceil((freeAt - now) / 1000);
}

/** Uses that count, by the beginning of the bucket. */
function usedWithin({ window, stored, unwritten }: Tally, now: number): Map<number, number> {
  const first = firstBucket(window, now);
  const used = new Map<number, number>();
  // A bucket that begins later is from before the clock was set back.
  for (const [startsAt, uses] of [...stored, ...unwritten])
    if (startsAt >= first && startsAt <= now) increase(used, startsAt, uses);
  return used;
}

const sumOf = (used: ReadonlyMap<number, number>): number => [...used.values()].reduce((sum, uses) => sum + uses, 0);

const increase = (counts: Map<number, number>, key: number, by: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + by);

const bucketOf = ({ bucketMs }: Window, time: number): number => Math.floor(time / bucketMs) * bucketMs;

const firstBucket = (window: Window, time: number): number =>
  bucketOf(window, time) - (window.buckets - 1) * window.bucketMs;

/** When a bucket no longer counts. */
const endOf = (startsAt: number, { bucketMs, buckets }: Window): number => startsAt + bucketMs * buckets;
