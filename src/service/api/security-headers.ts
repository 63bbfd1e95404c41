import type { MiddlewareHandler } from "hono";
import type { ApiEnvironment } from "./request-context.js";

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
