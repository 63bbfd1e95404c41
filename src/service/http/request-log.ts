import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { clientAddress } from "../../lib/http/index.js";
import type { Log } from "../../lib/log.js";
import { remembered } from "../../lib/memo.js";
import type { ApiKey } from "../jobs/index.js";
import type { Metrics } from "./metrics.js";
import type { ApiEnvironment } from "./request-context.js";

/** A request that was received. */
export interface ReceivedRequest {
  readonly requestId: string;
  /** Undefined if the connection has no address. */
  readonly clientAddress: string | undefined;
  /** By `performance.now()`. */
  readonly receivedAt: number;
}

/** What is known of a request once it is answered. */
export interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
  /** Its template. */
  readonly route: string;
  readonly status: number;
  readonly key: ApiKey | undefined;
  readonly fault: unknown;
}

/** Characters of a header that is kept in memory with the address that it gives. */
const mostForwarded = 100;

export type RequestLog = ReturnType<typeof createRequestLog>;

/**
 * Gives requests their ids and the addresses of their clients, counts them in the metrics and logs them. Paths and queries
 * are not logged, since links are secrets: only the route's template and the job's id.
 */
export function createRequestLog(isTrusted: (address: string) => boolean, metrics: Metrics | undefined, log: Log) {
  const addressOf = (connection: string | undefined, forwardedFor: string | undefined): string | undefined =>
    clientAddress(connection, forwardedFor, isTrusted);
  /** The parts of a key are on two lines. */
  const knownAddress = remembered((key) => addressOf(...(key.split("\n") as [string, string])));
  return {
    receive(header: (name: string) => string | undefined, remoteAddress: string | undefined): ReceivedRequest {
      const sent = header("x-request-id");
      const requestId = sent !== undefined && /^[\w.-]{8,64}$/.test(sent) ? sent : randomUUID();
      const forwardedFor = header("x-forwarded-for") ?? "";
      const isShort = remoteAddress !== undefined && forwardedFor.length <= mostForwarded;
      const address = isShort
        ? knownAddress(`${remoteAddress}\n${forwardedFor}`)
        : addressOf(remoteAddress, forwardedFor);
      return { requestId, clientAddress: address, receivedAt: performance.now() };
    },
    /** The function that it returns writes the line; the duration ends now. */
    answer({ requestId, clientAddress, receivedAt }: ReceivedRequest, answered: AnsweredRequest): () => void {
      const { method, path, route, status, key, fault } = answered;
      const durationMs = performance.now() - receivedAt;
      return () => {
        metrics?.count(method, route, status, durationMs / 1000);
        log(status >= 500 ? "error" : "info", "request", {
          requestId,
          method,
          route,
          jobId: /\/(se_[0-9a-f]{32})(?:\/|$)/.exec(path)?.[1],
          status,
          durationMs: Math.round(durationMs * 10) / 10,
          // What a reader asks or reads is nobody's business.
          clientAddress: /^\/(?:discovery|v1\/collect)\//.test(path) ? undefined : clientAddress,
          organizationId: key?.organizationId,
          keyId: key?.keyId,
          fault: fault === undefined ? undefined : loggedFault(fault),
        });
      };
    },
  };
}

/** Has the requests of the routes logged. */
export const observeRequests =
  (requests: RequestLog): MiddlewareHandler<ApiEnvironment> =>
  async (c, next) => {
    const received = requests.receive((name) => c.req.header(name), c.env.remoteAddress);
    c.set("requestId", received.requestId);
    c.set("clientAddress", received.clientAddress);
    await next();
    c.res.headers.set("X-Request-Id", received.requestId);
    // The route for all paths is this middleware.
    const route = matchedRoutes(c).findLast(({ path }) => path !== "/*")?.path ?? "unmatched";
    const { method, path } = c.req;
    const { status } = c.res;
    requests.answer(received, { method, path, route, status, key: c.get("key"), fault: c.get("fault") })();
  };

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
