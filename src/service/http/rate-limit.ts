import type { MiddlewareHandler } from "hono";
import type { LimitState } from "../assistant/index.js";
import type { AccountStore } from "../jobs/index.js";
import { type ApiError, tryLater } from "./api-error.js";
import type { ResolvedApiOptions } from "./api-options.js";
import { replayedHeader } from "./idempotency.js";
import type { ApiEnvironment, OnRefusal, RouteDeps } from "./request-context.js";

const hourMs = 60 * 60_000;

/**
 * Limits the requests of an organization that start jobs. Refused ones count as well; repeated ones do not, and are
 * answered even above the limit. Every response has the rate-limit headers.
 *
 * Fails: 429, with Retry-After. A request with an Idempotency-Key gets it from its handler, unless it is a repetition.
 */
export function limitStarts({ store: { accounts }, options, now }: RouteDeps): MiddlewareHandler<ApiEnvironment> {
  const { jobsPerWindow, windowMs, rateLimitHeaders: format } = options;
  return async (c, next) => {
    if (jobsPerWindow === Number.POSITIVE_INFINITY) return next();
    const name = `start-job:${c.get("key")!.organizationId}`;
    const use = await accounts.countUse(name, jobsPerWindow, windowMs);
    const limit = rateLimit("jobs", jobsPerWindow, windowMs, use, now());
    const headers = rateLimitHeaders(format, [limit]);
    if (use.useId === undefined) {
      const limitText = `start ${jobsPerWindow} jobs within ${limit.windowSeconds} seconds`;
      const overLimit = tooMany(limitText, limit, headers);
      if (c.req.header("Idempotency-Key") === undefined) throw overLimit;
      c.set("overLimit", overLimit);
    }
    await next();
    if (c.res.headers.has(replayedHeader)) {
      if (use.useId !== undefined) await accounts.releaseUse(use.useId);
      return;
    }
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
  };
}

/** Limits the requests of an organization to all analytics together, whatever their answer. Fails: 429, with Retry-After. */
export const limitAnalytics = (deps: RouteDeps): MiddlewareHandler<ApiEnvironment> =>
  limitUses(deps, "analytics", deps.options.analyticsPerHour, hourMs, "request analytics $ times per hour");

const searchesPerMinute = 600;

/** The same for the search over all sites of an organization. */
export const limitKnowledge = (deps: RouteDeps): MiddlewareHandler<ApiEnvironment> =>
  limitUses(deps, "knowledge", searchesPerMinute, 60_000, "search its sites $ times per minute");

/** @param text what the organization may do; `$` stands for the limit. */
function limitUses(
  { store: { accounts }, options: { rateLimitHeaders: format }, now }: RouteDeps,
  name: string,
  maxUses: number,
  windowMs: number,
  text: string,
): MiddlewareHandler<ApiEnvironment> {
  return async (c, next) => {
    if (maxUses === Number.POSITIVE_INFINITY) return next();
    const use = await accounts.countUse(`${name}:${c.get("key")!.organizationId}`, maxUses, windowMs);
    const limit = rateLimit(name, maxUses, windowMs, use, now());
    const headers = rateLimitHeaders(format, [limit]);
    if (use.useId === undefined) throw tooMany(text.replace("$", String(maxUses)), limit, headers);
    await next();
    for (const [header, value] of Object.entries(headers)) c.header(header, value);
  };
}

type Use = Awaited<ReturnType<AccountStore["countUse"]>>;

export const rateLimit = (name: string, limit: number, windowMs: number, use: Use, now: number): LimitState => ({
  name,
  limit,
  windowSeconds: Math.ceil(windowMs / 1000),
  left: use.left,
  resetSeconds: Math.max(1, Math.ceil((use.resetsAt.getTime() - now) / 1000)),
});

const tooMany = (limitText: string, { resetSeconds }: LimitState, headers: Record<string, string>): ApiError =>
  tryLater(429, `This organization can ${limitText}. Try again in ${resetSeconds} seconds.`, resetSeconds, headers);

/** Without structure, the headers have room for one: that with the smallest share left. */
export function rateLimitHeaders(
  format: ResolvedApiOptions["rateLimitHeaders"],
  limits: readonly LimitState[],
): Record<string, string> {
  if (format === "none" || limits.length === 0) return {};
  if (format === "structured")
    return {
      "RateLimit-Policy": limits
        .map(({ name, limit, windowSeconds }) => `"${name}";q=${limit};w=${windowSeconds}`)
        .join(", "),
      RateLimit: limits.map(({ name, left, resetSeconds }) => `"${name}";r=${left};t=${resetSeconds}`).join(", "),
    };
  const { limit, left, resetSeconds } = limits.reduce((a, b) => (b.left * a.limit < a.left * b.limit ? b : a));
  return {
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(left),
    "RateLimit-Reset": String(resetSeconds),
  };
}

/** The most addresses in memory; the one that was refused first is dropped. */
const maxAddresses = 10_000;
const maxLimit = 1000;

/** Counts refused keys by address in a sliding window; above the limit they get a 429. Valid keys never do. */
export function createRefusalLimit(maxRefusals: number, windowMs: number, now: () => number): OnRefusal {
  const limit = Math.min(maxRefusals, maxLimit);
  const refused = new Map<string, number[]>();
  return (refusal, address) => {
    if (address === undefined || maxRefusals === Number.POSITIVE_INFINITY) return refusal;
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
    const what = `Too many requests without a valid key came from ${address}.`;
    return tryLater(429, `${what} Correct the key, and try again in ${seconds} seconds.`, seconds);
  };
}
