import { isAddressRange } from "../../lib/http/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { AssistantLimits } from "../assistant/index.js";

/** Options for operators. */
export interface ApiOptions {
  /** Lifetime of a bundle's link, in milliseconds; shorter if the signing credentials expire earlier. */
  readonly linkTtlMs?: number;
  /** Longest wait for the object store, in milliseconds; then the client gets a 503. */
  readonly objectsMs?: number;
  /**
   * Requests to start a job that an organization may send within `windowMs`, refused ones included, and requests with
   * an invalid key from one address; `Infinity` means no limit.
   */
  readonly jobsPerWindow?: number;
  readonly windowMs?: number;
  /**
   * Format of the rate-limit headers: `structured` (RateLimit, RateLimit-Policy: draft 8 and later), `separate`
   * (RateLimit-Limit, -Remaining, -Reset: up to draft 6), or `none`.
   */
  readonly rateLimitHeaders?: "structured" | "separate" | "none";
  /** Addresses and CIDR ranges whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: readonly string[];
  /** Bearer token for /metrics; without it the route does not exist. */
  readonly metricsToken?: string;
  /** Bearer token for /v1/admin/, where an operator manages all organizations; without it these routes do not exist. */
  readonly adminToken?: string;
  /** Public URL of the API without trailing slash; shown in the specification. */
  readonly publicUrl?: string;
  readonly maxBodyBytes?: number;
  /** Requests for analytics that an organization may send within an hour; `Infinity` means no limit. */
  readonly analyticsPerHour?: number;
  /** The most requests that wait for a job to change at a time; further ones are answered at once. */
  readonly maxWaiting?: number;
  readonly assistantLimits?: Partial<AssistantLimits>;
  /** Time after which a stream without text sends a keep-alive, in milliseconds. */
  readonly keepAliveMs?: number;
}

type OptionalName = "adminToken" | "metricsToken" | "publicUrl";
export type ResolvedApiOptions = Required<Omit<ApiOptions, OptionalName>> & Pick<ApiOptions, OptionalName>;

export const apiDefaults = {
  linkTtlMs: 60 * 60_000,
  objectsMs: 10_000,
  jobsPerWindow: 120,
  windowMs: 60_000,
  rateLimitHeaders: "structured",
  trustedProxies: [],
  maxBodyBytes: 1024 * 1024,
  analyticsPerHour: 100,
  maxWaiting: 1000,
  assistantLimits: {},
  keepAliveMs: 10_000,
} as const satisfies ApiOptions;

/** @throws {RangeError} that names the invalid option. */
export function resolveApiOptions(options: ApiOptions): ResolvedApiOptions {
  const resolved: ResolvedApiOptions = { ...apiDefaults, ...withoutUndefined(options) };
  for (const name of [
    "linkTtlMs",
    "objectsMs",
    "jobsPerWindow",
    "windowMs",
    "maxBodyBytes",
    "analyticsPerHour",
  ] as const)
    if (!(resolved[name] > 0)) throw new RangeError(`${name} must be above 0, not ${resolved[name]}.`);
  if (!(resolved.maxWaiting >= 0)) throw new RangeError(`maxWaiting must be 0 or more, not ${resolved.maxWaiting}.`);
  const invalid = resolved.trustedProxies.find((range) => !isAddressRange(range));
  if (invalid !== undefined)
    throw new RangeError(`trustedProxies must contain IP addresses and CIDR ranges, not "${invalid}".`);
  if (resolved.metricsToken !== undefined && resolved.metricsToken.length < 16)
    throw new RangeError("metricsToken must have at least 16 characters.");
  if (resolved.adminToken !== undefined && resolved.adminToken.length < 32)
    throw new RangeError("adminToken must have at least 32 characters.");
  return resolved;
}
