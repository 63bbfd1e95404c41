import { isAddressRange } from "../../lib/http/index.js";
import type { Log } from "../../lib/log.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { ApiOptions } from "../../service/http/index.js";
import type { JobRules } from "../../service/jobs/index.js";
import type { MaintenanceOptions } from "../../service/run-service-worker.js";
import { UsageError } from "../environment.js";
import { count, days, list, milliseconds, read } from "./variables.js";

/** Limits of connections by client address. */
export function listenerOptions(env: NodeJS.ProcessEnv) {
  return {
    trustedProxies: trustedProxies(env),
    limits: withoutUndefined({ connectionsPerAddress: count(env, "OFFPRINT_CONNECTIONS_PER_ADDRESS") }),
  };
}

/** @throws {UsageError} if one is neither an address nor a CIDR range. */
export function trustedProxies(env: NodeJS.ProcessEnv): readonly string[] | undefined {
  const ranges = list(env, "OFFPRINT_TRUSTED_PROXIES");
  const invalid = ranges.find((range) => !isAddressRange(range));
  if (invalid !== undefined)
    throw new UsageError(`OFFPRINT_TRUSTED_PROXIES must contain IP addresses and CIDR ranges, not "${invalid}".`);
  return ranges.length > 0 ? ranges : undefined;
}

/** Variables set by platforms that put a proxy in front of each program. */
const platformVariables = [
  "KUBERNETES_SERVICE_HOST",
  "ECS_CONTAINER_METADATA_URI_V4",
  "K_SERVICE",
  "FLY_APP_NAME",
  "DYNO",
  "RENDER",
];

/** Warns if a proxy is likely but not named: then all clients seem to have one address, and share its limits. */
export function warnOfUnnamedProxy(env: NodeJS.ProcessEnv, publicUrl: string | undefined, log: Log): void {
  if (trustedProxies(env) !== undefined) return;
  const variable = platformVariables.find((name) => read(env, name) !== undefined);
  const sign = publicUrl?.startsWith("https:") ? `the public URL is ${publicUrl}` : variable && `${variable} is set`;
  if (sign === undefined) return;
  log(
    "warn",
    `This server seems to be behind a proxy (${sign}), but OFFPRINT_TRUSTED_PROXIES is not set, so limits per address treat all clients as one. Set it to the proxy's address or range.`,
  );
}

/** The options of the API that the environment sets. */
export function apiOptions(env: NodeJS.ProcessEnv): ApiOptions {
  return {
    adminToken: read(env, "OFFPRINT_ADMIN_TOKEN"),
    metricsToken: read(env, "OFFPRINT_METRICS_TOKEN"),
    trustedProxies: trustedProxies(env),
    linkTtlMs: milliseconds(env, "OFFPRINT_LINK_TTL_SECONDS"),
    jobsPerWindow: count(env, "OFFPRINT_JOBS_PER_MINUTE"),
    analyticsPerHour: count(env, "OFFPRINT_ANALYTICS_PER_HOUR"),
    assistantLimits: withoutUndefined({
      organizationPerHour: count(env, "OFFPRINT_ASSISTANT_PER_HOUR"),
      addressPerDay: count(env, "OFFPRINT_ASSISTANT_ADDRESS_PER_DAY"),
      streamsPerAddress: count(env, "OFFPRINT_ASSISTANT_STREAMS"),
      tokensPerDay: count(env, "OFFPRINT_ASSISTANT_TOKENS_PER_DAY"),
    }),
  };
}

/** The limits of each organization, and how long conversations, views and the audit log are stored. */
export const jobLimits = (env: NodeJS.ProcessEnv): Partial<JobRules> =>
  withoutUndefined({
    maxQueued: count(env, "OFFPRINT_MAX_QUEUED"),
    maxConcurrent: count(env, "OFFPRINT_MAX_CONCURRENT"),
    threadRetentionMs: days(env, "OFFPRINT_ASSISTANT_RETENTION_DAYS", 0),
    auditRetentionMs: days(env, "OFFPRINT_AUDIT_DAYS", 1),
    viewDayMonths: count(env, "OFFPRINT_VIEW_MONTHS"),
  });

export const webhookOptions = (env: NodeJS.ProcessEnv): Pick<MaintenanceOptions, "allowPrivateWebhooks"> => ({
  allowPrivateWebhooks: read(env, "OFFPRINT_PRIVATE_WEBHOOKS") === "1",
});

export function sharesCache(env: NodeJS.ProcessEnv): boolean {
  const written = read(env, "OFFPRINT_SHARED_CACHE") ?? "on";
  if (!["on", "off"].includes(written))
    throw new UsageError(`OFFPRINT_SHARED_CACHE must be on or off, not "${written}".`);
  return written === "on";
}
