import type { Log } from "../../lib/log.js";
import type { AccountStore, ViewCounts, ViewStore } from "../jobs/index.js";
import { createDaySalts } from "./day-salts.js";
import type { CountedSite } from "./view-tally.js";
import { type CountOutcome, createViewTally, type TallyDeps } from "./view-tally.js";
import type { Visit } from "./visit-kind.js";

/** Counts the answers of one process: sums in memory for a second or 20,000 hits, then one transaction. */
export interface ViewCounter {
  /** Costs microseconds, waits for nothing. */
  count(site: CountedSite, visit: Visit): CountOutcome;
  /** Stores what was counted. Never rejects: what cannot be stored now is stored later. */
  flush(): Promise<void>;
  /** Flushes, and stops. */
  close(): Promise<void>;
}

export interface ViewCounterDeps extends Pick<TallyDeps, "way" | "kindOf"> {
  readonly views: Pick<ViewStore, "add">;
  readonly accounts: Pick<AccountStore, "salt">;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const collectMs = 1000;
/** Few large transactions write less than many small ones: visitors are all over their table. */
const mostHits = 20_000;
/** More often than salts are read before midnight. */
const saltMs = 5 * 60_000;
/** Batches that wait while the database does not answer; the oldest are dropped. */
const mostBatches = 60;

/** A counter that also counts visitors once it could read the salt of the day. */
export async function openViewCounter({
  way,
  kindOf,
  views,
  accounts,
  log,
  now = Date.now,
}: ViewCounterDeps): Promise<ViewCounter> {
  const salts = createDaySalts(accounts, now);
  const tally = createViewTally({ way, salts, now, ...(kindOf && { kindOf }) });
  const batches: ViewCounts[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let isWriting = false;

  const prepare = (): Promise<void> =>
    salts.prepare().catch((error: unknown) => log("warn", "visitors cannot be counted", { error: String(error) }));

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (tally.size > 0) batches.push(tally.take());
    while (batches.length > mostBatches) {
      batches.shift();
      log("error", "page views were lost: the database has not taken any for a minute");
    }
    try {
      while (batches[0]) {
        await views.add(batches[0]);
        batches.shift();
      }
      await prepare();
    } catch (error) {
      log("warn", "page views were not stored, retrying", { error: String(error) });
      schedule();
    } finally {
      isWriting = false;
    }
  }

  function flush(): Promise<void> {
    isWriting = true;
    writing = writing.then(write);
    return writing;
  }

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), collectMs).unref();
  }

  await prepare();
  // The first reader of a day is a visitor, too.
  const salting = setInterval(() => void prepare(), saltMs).unref();
  return {
    count(site, visit) {
      const outcome = tally.count(site, visit);
      if (tally.size === 0) return outcome;
      if (tally.size >= mostHits && !isWriting) void flush();
      else schedule();
      return outcome;
    },
    flush,
    async close() {
      clearInterval(salting);
      await flush();
      clearTimeout(timer);
    },
  };
}
