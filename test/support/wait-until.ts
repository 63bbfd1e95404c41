import { setTimeout as sleep } from "node:timers/promises";

/** Resolves with the first result of `check` that is neither false nor undefined; rejects after `timeoutMs`. */
export async function waitUntil<T>(
  what: string,
  check: () => Promise<T | false | undefined> | T | false | undefined,
  timeoutMs = 120_000,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const result = await check();
    if (result !== false && result !== undefined) return result;
    if (performance.now() > end) throw new Error(`Timed out after ${timeoutMs} ms: ${what}`);
    await sleep(20);
  }
}
