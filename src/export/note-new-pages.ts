import { randomBytes } from "node:crypto";
import type { StoreEntry } from "./store-entry.js";
import type { StoreIndexes } from "./store-indexes.js";

const firstMs = 500;
const longestMs = 10_000;

/** Puts new pages into partial indexes while the run goes on: if it is killed, the next one makes only the rest. */
export function noteNewPages(indexes: StoreIndexes) {
  let waitMs = firstMs;
  let next = performance.now() + waitMs;
  let pages: StoreEntry[] = [];
  return {
    add(page: StoreEntry): void {
      pages.push(page);
      const now = performance.now();
      if (now < next) return;
      indexes.writePartial(randomBytes(8).toString("hex"), pages);
      pages = [];
      waitMs = Math.min(longestMs, waitMs * 2);
      next = now + waitMs;
    },
  };
}
