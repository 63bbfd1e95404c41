import type { Log } from "../../lib/log.js";
import type { AccountStore, ViewCounts, ViewStore } from "../jobs/index.js";
import { type CountedSite, type CountOutcome, createDaySalts, createViewTally, type TallyDeps } from "./view-tally.js";
import type { Visit } from "./visit-kind.js";

export interface ViewCounterDeps extends Pick<TallyDeps, "way" | "kindOf"> {
  readonly views: Pick<ViewStore, "add">;
  readonly accounts: Pick<AccountStore, "salt">;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const storeMs = 1000;
/** A few large transactions write less than many small ones: visitors are all over their table. */
const maxViews = 20_000;
/** Shorter than the time before midnight at which the next salt is read. */
const saltMs = 5 * 60_000;
/** Batches that wait while the database does not answer; the oldest are dropped. */
const maxBatches = 60;

/** Counts responses: sums them in memory for a second or 20,000 views, then stores them in one transaction. */
export async function openViewCounter({ way, kindOf, views, accounts, log, now = Date.now }: ViewCounterDeps) {
  const salts = createDaySalts(accounts, now);
  const tally = createViewTally({ way, salts, now, kindOf });
  const batches: ViewCounts[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let isWriting = false;

  const prepare = (): Promise<void> =>
    salts
      .prepare()
      .catch((error: unknown) =>
        log("warn", "failed to read the daily salt; visitors are not counted", { error: String(error) }),
      );

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (tally.size > 0) batches.push(tally.take());
    while (batches.length > maxBatches) {
      batches.shift();
      log("error", "page views were dropped: the database has not stored any for a minute");
    }
    try {
      while (batches[0]) {
        await views.add(batches[0]);
        batches.shift();
      }
      await prepare();
    } catch (error) {
      log("warn", "failed to store page views, retrying", { error: String(error) });
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
    timer ??= setTimeout(() => void flush(), storeMs).unref();
  }

  await prepare();
  // Before midnight, so that the first reader of a day counts as a visitor.
  const salting = setInterval(() => void prepare(), saltMs).unref();
  return {
    /** Counts in memory, within microseconds. */
    count(site: CountedSite, visit: Visit): CountOutcome {
      const outcome = tally.count(site, visit);
      if (tally.size === 0) return outcome;
      if (tally.size >= maxViews && !isWriting) void flush();
      else schedule();
      return outcome;
    },
    /** Stores what was counted. Never rejects: what cannot be stored now is stored later. */
    flush,
    /** Flushes, and stops. */
    async close(): Promise<void> {
      clearInterval(salting);
      await flush();
      clearTimeout(timer);
    },
  };
}
