import { setTimeout as sleep } from "node:timers/promises";
import { patienceMs } from "./patience.ts";

/** Resolves with the first result of `check` that is neither false nor undefined. */
export async function waitUntil<T>(
  what: string,
  check: () => Promise<T | false | undefined> | T | false | undefined,
  timeoutMs = patienceMs,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const begun = performance.now();
    const result = await check();
    if (result !== false && result !== undefined) return result;
    const now = performance.now();
    if (now > end) throw new Error(`Timed out: ${what}`);
    // A check that takes long would otherwise take the processor from the process that it waits for.
    await sleep(Math.min(200, Math.max(20, 3 * (now - begun))));
  }
}
