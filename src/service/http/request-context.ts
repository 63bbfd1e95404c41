import type { IncomingMessage, ServerResponse } from "node:http";
import type { MiddlewareHandler } from "hono";
import type { ApiKey } from "../jobs/index.js";
import type { RequestInfo } from "./answerer.js";
import type { ApiError } from "./api-error.js";

/** Context of a handler. */
export interface ApiEnvironment {
  Bindings: RequestInfo;
  Variables: {
    requestId: string;
    /** Undefined if the connection has no address. */
    clientAddress: string | undefined;
    /** The key of the request. Only after `authenticate` is it known to be valid. */
    key: ApiKey | undefined;
    /** Set above the rate limit: only a repeated Idempotency-Key gets another response. */
    overLimit: ApiError | undefined;
    /** The body, once `readJson` has read it. */
    json: unknown;
    /** Internal error for the log; not shown to the client. */
    fault: unknown;
  };
}

/** Of each response that does not set them itself. */
export const securityHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
};

/**
 * Sets missing headers of each response. There are no CORS headers: keys are secrets of servers. `c.header` would make a
 * new response for each header.
 */
export const setSecurityHeaders: MiddlewareHandler<ApiEnvironment> = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(securityHeaders))
    if (!c.res.headers.has(name)) c.res.headers.set(name, value);
};

/** Answers some requests of a server by itself. The result is false, and nothing has happened, for the others. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
