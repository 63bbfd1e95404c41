import type { AccountStore } from "../jobs/index.js";
import { ApiError } from "./api-error.js";
import type { ResolvedApiOptions } from "./api-options.js";

/**
 * Counts one started job of the organization and returns the rate-limit headers.
 *
 * @throws {ApiError} 429, with Retry-After, above the limit.
 */
export async function countStart(
  accounts: AccountStore,
  organizationId: string,
  options: ResolvedApiOptions,
  now: number,
): Promise<Readonly<Record<string, string>>> {
  const { jobsPerWindow: limit, windowMs } = options;
  if (limit === Number.POSITIVE_INFINITY) return {};
  const { count, resetsAt } = await accounts.countUse(`start-job:${organizationId}`, windowMs);
  const resetSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - now) / 1000));
  const windowSeconds = Math.ceil(windowMs / 1000);
  const headers = rateLimitHeaders(options.rateLimitHeaders, limit, windowSeconds, limit - count, resetSeconds);
  if (count > limit)
    throw new ApiError(
      429,
      `This organization may start ${limit} jobs within ${windowSeconds} seconds. Try again in ${resetSeconds} seconds.`,
      { ...headers, "Retry-After": String(resetSeconds) },
    );
  return headers;
}

function rateLimitHeaders(
  format: ResolvedApiOptions["rateLimitHeaders"],
  limit: number,
  windowSeconds: number,
  left: number,
  resetSeconds: number,
): Record<string, string> {
  const remaining = Math.max(0, left);
  if (format === "none") return {};
  if (format === "structured")
    return {
      "RateLimit-Policy": `"jobs";q=${limit};w=${windowSeconds}`,
      RateLimit: `"jobs";r=${remaining};t=${resetSeconds}`,
    };
  return {
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(remaining),
    "RateLimit-Reset": String(resetSeconds),
  };
}
