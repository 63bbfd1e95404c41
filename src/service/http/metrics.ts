import type { Hono } from "hono";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { JobCounts } from "../jobs/index.js";
import type { ApiError } from "./api-error.js";
import { requireToken } from "./authenticate.js";
import type { ApiEnvironment, RouteDeps } from "./request-context.js";

export type Metrics = ReturnType<typeof createMetrics>;

const methods = new Set(["GET", "HEAD", "POST", "DELETE"]);

/**
 * Prometheus metrics. Labels are methods, route templates and statuses: few values, no secrets.
 *
 * @param more the text of further metrics.
 */
export function createMetrics(
  counts: () => Promise<JobCounts>,
  waiting: () => number,
  more: () => Promise<string> = async () => "",
) {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const requests = new Counter({
    name: "offprint_http_requests_total",
    help: "Requests answered.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "offprint_http_request_duration_seconds",
    help: "Time from the request to its answer's head; requests that wait for a change are long.",
    labelNames: ["method", "route"],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
    registers,
  });
  new Gauge({
    name: "offprint_http_waiting_requests",
    help: "Requests that wait for a job to change.",
    registers,
    collect() {
      this.set(waiting());
    },
  });
  const jobs = new Gauge({ name: "offprint_jobs", help: "Jobs kept, by status.", labelNames: ["status"], registers });
  const workers = new Gauge({ name: "offprint_workers", help: "Workers alive.", registers });
  const oldest = new Gauge({
    name: "offprint_oldest_queued_job_seconds",
    help: "How long the oldest job waits for its first worker.",
    registers,
  });
  return {
    register,
    contentType: register.contentType,
    count(method: string, route: string, status: number, seconds: number) {
      const known = methods.has(method) ? method : "other";
      requests.inc({ method: known, route, status });
      durations.observe({ method: known, route }, seconds);
    },
    async text() {
      const now = await counts();
      for (const status of ["queued", "running", "completed", "failed"] as const) jobs.set({ status }, now[status]);
      workers.set(now.workers);
      oldest.set(now.oldestQueuedMs / 1000);
      return (await register.metrics()) + (await more());
    },
  };
}

/** Adds the route that Prometheus reads, with a token. */
export function addMetricsRoute(app: Pick<Hono<ApiEnvironment>, "get">, deps: RouteDeps, metrics: Metrics): void {
  app.get("/metrics", async (c) => {
    try {
      requireToken(deps.options.metricsToken!, c.req.header("Authorization"), "offprint metrics");
    } catch (refusal) {
      // Counted in this process: metrics are needed while the database is away.
      throw deps.onRefusal(refusal as ApiError, c.get("clientAddress"));
    }
    return c.body(await metrics.text(), 200, { "Content-Type": metrics.contentType });
  });
}
