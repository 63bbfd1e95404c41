import type { MiddlewareHandler } from "hono";
import type { AccountStore } from "../jobs/index.js";
import { ApiError } from "./api-error.js";
import type { ResolvedApiOptions } from "./api-options.js";
import type { ApiEnvironment } from "./request-context.js";

/** Marks the response to a repeated Idempotency-Key. */
export const replayedHeader = "Idempotent-Replayed";

/**
 * Limits the requests of an organization that start jobs. Refused ones count as well; repeated ones do not, and are
 * answered even above the limit. Every response has the rate-limit headers.
 *
 * Fails: 429, with Retry-After. A request with an Idempotency-Key gets it from its handler, unless it is a repetition.
 */
export function limitStarts(
  accounts: AccountStore,
  options: ResolvedApiOptions,
  now: () => number,
): MiddlewareHandler<ApiEnvironment> {
  const { jobsPerWindow: limit, windowMs } = options;
  const windowSeconds = Math.ceil(windowMs / 1000);
  return async (c, next) => {
    if (limit === Number.POSITIVE_INFINITY) return next();
    const name = `start-job:${c.get("key")!.organizationId}`;
    const { useId, left, resetsAt } = await accounts.countUse(name, limit, windowMs);
    const resetSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - now()) / 1000));
    const headers = rateLimitHeaders(options.rateLimitHeaders, limit, windowSeconds, left, resetSeconds);
    if (useId === undefined) {
      const overLimit = new ApiError(
        429,
        `This organization may start ${limit} jobs within ${windowSeconds} seconds. Try again in ${resetSeconds} seconds.`,
        { ...headers, "Retry-After": String(resetSeconds) },
      );
      if (c.req.header("Idempotency-Key") === undefined) throw overLimit;
      c.set("overLimit", overLimit);
    }
    await next();
    if (c.res.headers.has(replayedHeader)) {
      if (useId !== undefined) await accounts.releaseUse(useId);
      return;
    }
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
  };
}

function rateLimitHeaders(
  format: ResolvedApiOptions["rateLimitHeaders"],
  limit: number,
  windowSeconds: number,
  left: number,
  resetSeconds: number,
): Record<string, string> {
  if (format === "none") return {};
  if (format === "structured")
    return {
      "RateLimit-Policy": `"jobs";q=${limit};w=${windowSeconds}`,
      RateLimit: `"jobs";r=${left};t=${resetSeconds}`,
    };
  return {
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(left),
    "RateLimit-Reset": String(resetSeconds),
  };
}
