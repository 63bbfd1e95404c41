import { collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { ApiError, errorResponse, listen, type RequestInfo, requireToken } from "./http/index.js";
import { jobRuleDefaults } from "./jobs/index.js";
import type { WorkerObserver } from "./worker/run-leased.js";

export interface ServeWorkerOptions {
  readonly port: number;
  readonly host: string;
  /** For /metrics, which does not exist without it. */
  readonly metricsToken?: string;
}

/** Listens for probes: `/healthz`, `/readyz` (503 while the database cannot be reached) and `/metrics`. */
export async function serveWorker({ port, host, metricsToken }: ServeWorkerOptions) {
  const { register, observer: counting } = createJobMetrics();
  collectDefaultMetrics({ register });
  let reachedAt = Number.NEGATIVE_INFINITY;
  const observer: Partial<WorkerObserver> = {
    ...counting,
    heartbeat() {
      reachedAt = performance.now();
    },
  };
  const isReady = (): boolean => performance.now() - reachedAt < jobRuleDefaults.workerTimeoutMs;
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === "/healthz") return Response.json({ status: "ok" });
    if (pathname === "/readyz")
      return isReady()
        ? Response.json({ status: "ready" })
        : Response.json({ status: "unready", error: "The database is not reachable." }, { status: 503 });
    if (pathname === "/metrics" && metricsToken !== undefined) {
      requireToken(metricsToken, request.headers.get("Authorization") ?? undefined, "offprint metrics");
      return new Response(await register.metrics(), { headers: { "Content-Type": register.contentType } });
    }
    throw new ApiError(404, "A worker answers /healthz, /readyz and, with a metrics token, /metrics.");
  };
  const api = {
    fetch: (request: Request, { refusal }: RequestInfo = {}) =>
      (refusal ? Promise.reject(refusal) : answer(request)).catch((error: unknown) => {
        if (error instanceof ApiError) return errorResponse(error, request.headers.get("Accept") ?? undefined);
        throw error;
      }),
  };
  return { ...(await listen({ api, port, host })), observer };
}

/** The metrics of a worker, and the observer that updates them, which is an option of the worker. */
export function createJobMetrics() {
  const register = new Registry();
  const registers = [register];
  const waits = new Histogram({
    name: "offprint_job_queue_seconds",
    help: "Time from the request for a job until a worker takes it for the first time.",
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600],
    registers,
  });
  const attempts = new Histogram({
    name: "offprint_job_attempt_duration_seconds",
    help: "Time from taking a job to the end of the attempt; stopped: cancelled, or left to another worker.",
    labelNames: ["outcome"],
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600],
    registers,
  });
  const pages = new Histogram({
    name: "offprint_page_duration_seconds",
    help: "Time to render and write one page.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    registers,
  });
  const observer: Partial<WorkerObserver> = {
    jobTaken: (waitedMs) => waits.observe(waitedMs / 1000),
    attemptEnded: (outcome, ms) => attempts.observe({ outcome }, ms / 1000),
    pagesRendered(milliseconds) {
      for (const ms of milliseconds) pages.observe(ms / 1000);
    },
  };
  return { register, observer };
}
