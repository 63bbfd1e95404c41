import type { MiddlewareHandler } from "hono";
import type { ApiKey, Project } from "../../jobs/index.js";
import { ApiError } from "../api-error.js";
import type { ApiEnvironment } from "../request-context.js";

const preflight = {
  "Access-Control-Allow-Methods": "POST",
  "Access-Control-Allow-Headers": "Authorization, Content-Type, X-Thread-Key, X-Request-Id",
  "Access-Control-Max-Age": "7200",
  // Pages of a public site may ask a service in a private network.
  "Access-Control-Allow-Private-Network": "true",
};

/** Of each response to a page. */
export const pageHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "X-Thread-Id, X-Thread-Key, X-Request-Id, Retry-After",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/**
 * Lets pages read every response, also an error: whether an origin may use a key is checked before anything is
 * answered. There are no cookies that a page could use.
 */
export const allowPages: MiddlewareHandler<ApiEnvironment> = async (c, next) => {
  const isPreflight = c.req.method === "OPTIONS" && c.req.header("Access-Control-Request-Method") !== undefined;
  if (isPreflight) c.res = new Response(null, { status: 204, headers: preflight });
  else await next();
  for (const [name, value] of Object.entries(pageHeaders)) c.res.headers.set(name, value);
};

/**
 * A page of a file sends the origin `null`, which must be listed.
 *
 * @throws {ApiError} 403 if the request comes from a page whose origin the key does not allow.
 */
export function checkOrigin({ allowedOrigins }: ApiKey, project: Project, origin: string | undefined): void {
  if (origin === undefined) return;
  const isAllowed =
    allowedOrigins.length === 0 ? hostOf(origin) === project.domain : allowedOrigins.includes(origin.toLowerCase());
  if (isAllowed) return;
  throw new ApiError(
    403,
    `Pages of ${origin.slice(0, 200)} may not use this key. Create one for them: offprint key create --kind assistant --origin ${origin.slice(0, 200)}.`,
  );
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);

/** An origin as browsers send it, such as `https://docs.example.com`; `null` is that of files. */
export const isOrigin = (text: string): boolean =>
  text === "null" || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text);
