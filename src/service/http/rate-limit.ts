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
    const headers = rateLimitHeaders(options.rateLimitHeaders, {
      name: "jobs",
      limit,
      windowSeconds,
      left,
      resetSeconds,
    });
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

const hourMs = 60 * 60_000;

/** Limits the requests of an organization to all analytics together, whatever their answer. Fails: 429, with Retry-After. */
export function limitAnalytics(
  accounts: AccountStore,
  { analyticsPerHour: limit, rateLimitHeaders: format }: ResolvedApiOptions,
  now: () => number,
): MiddlewareHandler<ApiEnvironment> {
  return async (c, next) => {
    if (limit === Number.POSITIVE_INFINITY) return next();
    const { useId, left, resetsAt } = await accounts.countUse(
      `analytics:${c.get("key")!.organizationId}`,
      limit,
      hourMs,
    );
    const resetSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - now()) / 1000));
    const headers = rateLimitHeaders(format, {
      name: "analytics",
      limit,
      windowSeconds: hourMs / 1000,
      left,
      resetSeconds,
    });
    if (useId === undefined)
      throw new ApiError(
        429,
        `This organization may ask for analytics ${limit} times an hour. Try again in ${resetSeconds} seconds.`,
        { ...headers, "Retry-After": String(resetSeconds) },
      );
    await next();
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
  };
}

interface RateLimit {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly left: number;
  readonly resetSeconds: number;
}

function rateLimitHeaders(
  format: ResolvedApiOptions["rateLimitHeaders"],
  { name, limit, windowSeconds, left, resetSeconds }: RateLimit,
): Record<string, string> {
  if (format === "none") return {};
  if (format === "structured")
    return {
      "RateLimit-Policy": `"${name}";q=${limit};w=${windowSeconds}`,
      RateLimit: `"${name}";r=${left};t=${resetSeconds}`,
    };
  return {
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(left),
    "RateLimit-Reset": String(resetSeconds),
  };
}

/** Addresses that are remembered; the ones that were refused first are forgotten. */
const maxAddresses = 10_000;
const maxLimit = 1000;

/**
 * Counts the refused keys of each client address in this process, in a sliding window. Above the limit the client gets
 * a 429 instead; a valid key is never refused, since clients may share an address.
 */
export function createRefusalLimit(wanted: number, windowMs: number, now: () => number) {
  const limit = Math.min(wanted, maxLimit);
  const refused = new Map<string, number[]>();
  return (refusal: ApiError, address: string | undefined): ApiError => {
    if (address === undefined || wanted === Number.POSITIVE_INFINITY) return refusal;
    const since = now() - windowMs;
    const times = (refused.get(address) ?? []).filter((time) => time > since && time <= now());
    refused.set(address, times);
    if (times.length < limit) {
      times.push(now());
      const oldest = refused.keys().next().value;
      if (refused.size > maxAddresses && oldest !== undefined) refused.delete(oldest);
      return refusal;
    }
    const seconds = Math.max(1, Math.ceil((times[0]! - since) / 1000));
    return new ApiError(
      429,
      `Too many requests from ${address} had no valid key. Correct the key, and try again in ${seconds} seconds.`,
      { "Retry-After": String(seconds) },
    );
  };
}
