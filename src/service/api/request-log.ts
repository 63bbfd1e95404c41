import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Log } from "../../lib/log.js";
import { clientAddress } from "./client-address.js";
import type { Metrics } from "./metrics.js";
import type { ApiEnvironment } from "./request-context.js";

/**
 * Sets the id and the client's address of a request, counts it in the metrics and logs it. Paths and queries are not
 * logged, since links are secrets: only the route's template and the job's id.
 */
export function observeRequests(
  isTrusted: (address: string) => boolean,
  metrics: Metrics | undefined,
  log: Log,
): MiddlewareHandler<ApiEnvironment> {
  return async (c, next) => {
    const started = performance.now();
    const sent = c.req.header("X-Request-Id");
    const requestId = sent !== undefined && /^[\w.-]{8,64}$/.test(sent) ? sent : randomUUID();
    const address = clientAddress(c.env.remoteAddress, c.req.header("X-Forwarded-For"), isTrusted);
    c.set("requestId", requestId);
    c.set("clientAddress", address);
    await next();
    c.header("X-Request-Id", requestId);
    const durationMs = performance.now() - started;
    // The route for all paths is this middleware.
    const route = matchedRoutes(c).findLast(({ path }) => path !== "/*")?.path ?? "unmatched";
    metrics?.count(c.req.method, route, c.res.status, durationMs / 1000);
    const key = c.get("key");
    const fault = c.get("fault");
    const jobId = /\/(se_[0-9a-f]{32})(?:\/|$)/.exec(c.req.path)?.[1];
    log(c.res.status >= 500 ? "error" : "info", "request", {
      requestId,
      method: c.req.method,
      route,
      jobId,
      status: c.res.status,
      durationMs: Math.round(durationMs * 10) / 10,
      // What a reader asks or reads is nobody's business.
      clientAddress: /^\/(?:discovery|v1\/collect)\//.test(c.req.path) ? undefined : address,
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
