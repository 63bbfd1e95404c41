import type { OpenAPIHono } from "@hono/zod-openapi";
import type { JobCounts } from "../jobs/index.js";
import { health, readiness } from "./jobs/routes.js";
import type { ApiEnvironment, RouteDeps } from "./request-context.js";

const answerMs = 2_000;
const objectsTtlMs = 10_000;
const databaseProblem = "The database is not reachable.";

/** Adds the routes of health and readiness. They answer while the database is down, and list problems as sentences. */
export function addHealthRoutes(
  app: OpenAPIHono<ApiEnvironment>,
  { store: { objects }, now }: RouteDeps,
  counts: () => Promise<JobCounts>,
): void {
  const objectsReached = cached(() => objects.check(), objectsTtlMs, now);
  const database = () => within(answerMs, counts, noAnswer);
  app.openapi(health, async (c) => {
    const problems = await database().then(
      ({ workers, queued }) =>
        workers > 0
          ? []
          : [`No worker is alive, and ${queued} jobs are waiting for one. Start a worker: offprint worker.`],
      () => [databaseProblem],
    );
    return c.json({ status: problems.length === 0 ? ("ok" as const) : ("degraded" as const), problems }, 200);
  });
  app.openapi(readiness, async (c) => {
    const [rows, bundles] = await Promise.allSettled([database(), within(answerMs, objectsReached, noAnswer)]);
    const problems = [
      ...(rows.status === "rejected" ? [databaseProblem] : []),
      ...(bundles.status === "rejected" ? ["The object store is not reachable, or denies access."] : []),
    ];
    return problems.length === 0
      ? c.json({ status: "ready" as const, problems }, 200)
      : c.json({ status: "unready" as const, problems, error: problems.join(" ") }, 503);
  });
}

const noAnswer = (): Error => new Error(`The check did not finish within ${answerMs} ms.`);

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

/** Settles like `work`. After `timeoutMs` it rejects with `error()` and aborts the signal of `work`. */
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
