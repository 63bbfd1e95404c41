import { setTimeout as sleep } from "node:timers/promises";

/** Resolves with the first result of `look` that is neither false nor undefined; rejects after `timeoutMs`. */
export async function waitUntil<T>(
  what: string,
  look: () => Promise<T | false | undefined> | T | false | undefined,
  timeoutMs = 120_000,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (seen !== false && seen !== undefined) return seen;
    if (performance.now() > end) throw new Error(`${what} did not come within ${timeoutMs} ms.`);
    await sleep(20);
  }
}
