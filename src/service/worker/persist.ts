import { setTimeout as sleep } from "node:timers/promises";

/** Retries for several seconds, long enough for a database to restart. */
export async function persist<T>(write: () => Promise<T>): Promise<T> {
  for (let waitMs = 250; ; waitMs *= 2) {
    try {
      return await write();
    } catch (error) {
      if (waitMs > 8000) throw error;
      await sleep(waitMs);
    }
  }
}
