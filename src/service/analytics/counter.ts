import type { CountedSite } from "./counted-site.js";
import type { KindName, Visit } from "./kind.js";

/**
 * The kind that was counted, or why nothing was: not a GET request, another status, a prefetch or preview, a path
 * without a page, a view that another way counts. `missing`: counted as an address without a page.
 */
export type CountOutcome = KindName | "missing" | "method" | "status" | "prefetch" | "no-page" | "other-way";

/** Counts the answers of one process: sums in memory for a second or 5,000 hits, then one transaction. */
export interface ViewCounter {
  /** Costs microseconds, waits for nothing. */
  count(site: CountedSite, visit: Visit): CountOutcome;
  /** Stores what was counted. */
  flush(): Promise<void>;
  /** Flushes, and stops. */
  close(): Promise<void>;
}
