import type { JobCounts } from "../jobs/index.js";
import type { ObjectStore } from "../store/index.js";

const answerMs = 2_000;
const objectsTtlMs = 10_000;

export function createHealthChecks(counts: () => Promise<JobCounts>, objects: ObjectStore, now: () => number) {
  const objectsReached = cached(() => objects.check(), objectsTtlMs, now);
  const database = () => within(answerMs, counts, noAnswer);
  return {
    /** Problems of the service, as sentences. Also answers while the database is down. */
    async health() {
      try {
        const { workers, queued } = await database();
        return workers > 0 ? [] : [`No worker is alive, and ${queued} jobs wait for one. Start one: offprint worker.`];
      } catch {
        return ["The database does not answer."];
      }
    },
    /** Dependencies that cannot be reached, as sentences. */
    async readiness() {
      const [rows, bundles] = await Promise.allSettled([database(), within(answerMs, objectsReached, noAnswer)]);
      return [
        ...(rows.status === "rejected" ? ["The database does not answer."] : []),
        ...(bundles.status === "rejected" ? ["The object store does not answer, or refuses."] : []),
      ];
    },
  };
}

const noAnswer = (): Error => new Error(`There was no answer within ${answerMs} ms.`);

/** Calls `read` at most once per `ttlMs`, for all callers. Errors are not cached. */
export function cached<T>(read: () => Promise<T>, ttlMs: number, now: () => number): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (last && Math.abs(now() - last.at) < ttlMs) return last.value;
    const value = read();
    const current = { at: now(), value };
    last = current;
    value.catch(() => {
      if (last === current) last = undefined;
    });
    return value;
  };
}

/** Settles like `work`, but after `timeoutMs` rejects with `error()` and aborts the signal of `work`. */
export async function within<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  error: () => Error,
): Promise<T> {
  const late = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(error());
    late.abort();
  }, timeoutMs);
  return Promise.race([work(late.signal), promise]).finally(() => clearTimeout(timer));
}
