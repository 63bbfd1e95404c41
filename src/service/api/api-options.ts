import { isAddressRange } from "./client-address.js";

/** What an operator may set. */
export interface ApiOptions {
  /** How long a bundle's link lives, in milliseconds; shorter where the credentials that sign it end earlier. */
  readonly linkTtlMs?: number;
  /** Jobs that an organization may start within one window; `Infinity` means no limit. */
  readonly jobsPerWindow?: number;
  readonly windowMs?: number;
  /**
   * Form of the rate-limit headers: `structured` (RateLimit, RateLimit-Policy: draft 8 and later), `separate`
   * (RateLimit-Limit, -Remaining, -Reset: up to draft 6), or `none`.
   */
  readonly rateLimitHeaders?: "structured" | "separate" | "none";
  /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  /** Whoever sends it as bearer token may read /metrics; without one that route does not exist. */
  readonly metricsToken?: string;
  /** Where clients reach the API, without slash at the end; only the specification shows it. */
  readonly publicUrl?: string;
  readonly maxBodyBytes?: number;
  /** Requests that wait for a job's change at the same time; those beyond are answered at once. */
  readonly maxWaiting?: number;
}

export type ResolvedApiOptions = Required<Omit<ApiOptions, "metricsToken" | "publicUrl">> &
  Pick<ApiOptions, "metricsToken" | "publicUrl">;

export const apiDefaults = {
  linkTtlMs: 60 * 60_000,
  jobsPerWindow: 120,
  windowMs: 60_000,
  rateLimitHeaders: "structured",
  trustedProxies: [],
  maxBodyBytes: 1024 * 1024,
  maxWaiting: 1000,
} as const satisfies ApiOptions;

/** @throws {RangeError} that names the option; a mistake of the caller. */
export function resolveApiOptions(options: ApiOptions): ResolvedApiOptions {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const resolved: ResolvedApiOptions = { ...apiDefaults, ...given };
  for (const name of ["linkTtlMs", "jobsPerWindow", "windowMs", "maxBodyBytes"] as const)
    if (!(resolved[name] > 0)) throw new RangeError(`${name} is above 0, not ${resolved[name]}.`);
  if (!(resolved.maxWaiting >= 0)) throw new RangeError(`maxWaiting is 0 or more, not ${resolved.maxWaiting}.`);
  const noRange = resolved.trustedProxies.find((range) => !isAddressRange(range));
  if (noRange !== undefined) throw new RangeError(`trustedProxies are addresses and CIDR ranges, not "${noRange}".`);
  if (resolved.metricsToken !== undefined && resolved.metricsToken.length < 16)
    throw new RangeError("metricsToken needs at least 16 characters.");
  return resolved;
}
