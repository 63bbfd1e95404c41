import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { addressMatcher, clientAddress } from "../../lib/http/index.js";
import type { Log } from "../../lib/log.js";
import type { Metrics } from "./metrics.js";
import type { ApiEnvironment } from "./request-context.js";

/**
 * Sets the ids and client addresses of requests, counts them in the metrics and logs them. Paths and queries
 * are not logged, since links are secrets: only the route's template and the job's id.
 */
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
