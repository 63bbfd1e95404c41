import { randomUUID } from "node:crypto";
import type { Hono, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { addressMatcher, clientAddress } from "../../lib/http/index.js";
import type { Log } from "../../lib/log.js";
import type { JobCounts } from "../jobs/index.js";
import type { ApiError } from "./api-error.js";
import { requireToken } from "./authenticate.js";
import type { ApiEnvironment, RouteDeps } from "./request-context.js";

/** Sets ids and addresses of requests, counts and logs them, without paths and queries: links are secrets. */
export function observeRequests(
  trustedProxies: readonly string[],
  metrics: Metrics | undefined,
  log: Log,
): MiddlewareHandler<ApiEnvironment> {
  const isTrusted = addressMatcher(trustedProxies);
  return async (c, next) => {
    const receivedAt = performance.now();
    const sentId = c.req.header("X-Request-Id");
    const requestId = sentId !== undefined && /^[\w.-]{8,64}$/.test(sentId) ? sentId : randomUUID();
    const address = clientAddress(c.env.remoteAddress, c.req.header("X-Forwarded-For"), isTrusted);
    c.set("requestId", requestId);
    c.set("clientAddress", address);
    await next();
    c.res.headers.set("X-Request-Id", requestId);
    const { method, path } = c.req;
    const { status } = c.res;
    // The route `/*` is this middleware.
    const route = matchedRoutes(c).findLast((matched) => matched.path !== "/*")?.path ?? "unmatched";
    const durationMs = performance.now() - receivedAt;
    const key = c.get("key");
    const fault = c.get("fault");
    metrics?.count(method, route, status, durationMs / 1000);
    log(status >= 500 ? "error" : "info", "request", {
      requestId,
      method,
      route,
      jobId: /\/(se_[0-9a-f]{32})(?:\/|$)/.exec(path)?.[1],
      status,
      durationMs: Math.round(durationMs * 10) / 10,
      // Nobody is to know what a reader asks or reads.
      clientAddress: /^\/(?:discovery|mcp|v1\/collect)\//.test(path) ? undefined : address,
      organizationId: key?.organizationId,
      keyId: key?.keyId,
      fault: fault === undefined ? undefined : loggedFault(fault),
    });
  };
}

/** The error and its causes, with their stacks, without secrets. */
export const loggedFault = (fault: unknown): string => withoutSecrets(faultText(fault));

function faultText(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  const text = fault.stack ?? `${fault.name}: ${fault.message}`;
  return fault.cause === undefined ? text : `${text}\nCause: ${faultText(fault.cause)}`;
}

/** Removes keys, credentials in URLs, and queries of links. */
const withoutSecrets = (text: string): string =>
  text
    .replace(/svc_[\w-]+/g, "svc_…")
    .replace(/(\w:\/\/)[^\s/@]+@/g, "$1…@")
    .replace(/(https?:\/\/[^\s?]+)\?[^\s"')]+/g, "$1?…");

export type Metrics = ReturnType<typeof createMetrics>;

const methods = new Set(["GET", "HEAD", "POST", "DELETE"]);

/** Metrics for Prometheus, whose labels have few values and no secrets. @param more gives further ones. */
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
      const label = methods.has(method) ? method : "other";
      requests.inc({ method: label, route, status });
      durations.observe({ method: label, route }, seconds);
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
