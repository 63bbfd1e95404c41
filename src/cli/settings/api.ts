import { isAddressRange } from "../../lib/http/index.js";
import type { Log } from "../../lib/log.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { ApiOptions } from "../../service/http/index.js";
import type { JobRules } from "../../service/jobs/index.js";
import type { MaintenanceOptions } from "../../service/run-service-worker.js";
import { UsageError } from "../environment.js";

/** Who may take how many connections of a listener. */
export function listenerOptions(env: NodeJS.ProcessEnv) {
  return {
    trustedProxies: trustedProxies(env),
    limits: withoutUndefined({ connectionsPerAddress: count(env, "OFFPRINT_CONNECTIONS_PER_ADDRESS") }),
  };
}

/** @throws {UsageError} if one is neither an address nor a CIDR range. */
export function trustedProxies(env: NodeJS.ProcessEnv): string[] | undefined {
  const ranges = read(env, "OFFPRINT_TRUSTED_PROXIES")
    ?.split(",")
    .map((range) => range.trim());
  const invalid = ranges?.find((range) => !isAddressRange(range));
  if (invalid !== undefined)
    throw new UsageError(`OFFPRINT_TRUSTED_PROXIES has addresses and CIDR ranges, not "${invalid}".`);
  return ranges;
}

/** Variables that platforms set on which a proxy is in front of each program. */
const platformVariables = [
  "KUBERNETES_SERVICE_HOST",
  "ECS_CONTAINER_METADATA_URI_V4",
  "K_SERVICE",
  "FLY_APP_NAME",
  "DYNO",
  "RENDER",
];

/** Warns if a proxy is likely, and none is named: then all clients have one address, and one takes the share of all. */
export function warnOfUnnamedProxy(env: NodeJS.ProcessEnv, publicUrl: string | undefined, log: Log): void {
  if (trustedProxies(env) !== undefined) return;
  const variable = platformVariables.find((name) => read(env, name) !== undefined);
  const sign = publicUrl?.startsWith("https:") ? `the public URL is ${publicUrl}` : variable && `${variable} is set`;
  if (sign === undefined) return;
  log(
    "warn",
    `A proxy is likely in front of this server (${sign}), but OFFPRINT_TRUSTED_PROXIES is not set: limits by address count all clients as one. Set it to the proxy's address or range.`,
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
      addressPerDay: count(env, "OFFPRINT_ASSISTANT_PER_ADDRESS"),
      streamsPerAddress: count(env, "OFFPRINT_ASSISTANT_STREAMS"),
      tokensPerDay: count(env, "OFFPRINT_ASSISTANT_TOKENS_PER_DAY"),
    }),
  };
}

/** The limits of each organization, and how long conversations, views and the audit log are kept. */
export const jobLimits = (env: NodeJS.ProcessEnv): Partial<JobRules> =>
  withoutUndefined({
    maxQueued: count(env, "OFFPRINT_MAX_QUEUED"),
    maxConcurrent: count(env, "OFFPRINT_MAX_CONCURRENT"),
    threadRetentionMs: days(env, "OFFPRINT_ASSISTANT_RETENTION_DAYS"),
    auditRetentionMs: daysAboveZero(env, "OFFPRINT_AUDIT_DAYS"),
    viewDayMonths: count(env, "OFFPRINT_VIEW_MONTHS"),
  });

export const webhookOptions = (env: NodeJS.ProcessEnv): Pick<MaintenanceOptions, "allowPrivateWebhooks"> => ({
  allowPrivateWebhooks: read(env, "OFFPRINT_PRIVATE_WEBHOOKS") === "1",
});

export function sharesCache(env: NodeJS.ProcessEnv): boolean {
  const written = read(env, "OFFPRINT_SHARED_CACHE") ?? "on";
  if (!["on", "off"].includes(written)) throw new UsageError(`OFFPRINT_SHARED_CACHE is on or off, not "${written}".`);
  return written === "on";
}

export const read = (env: NodeJS.ProcessEnv, name: string): string | undefined => env[name]?.trim() || undefined;

export function count(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const written = read(env, name);
  if (written !== undefined && !/^[1-9]\d{0,8}$/.test(written))
    throw new UsageError(`${name} must be a whole number above 0, not "${written}".`);
  return written === undefined ? undefined : Number(written);
}

function days(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const written = read(env, name);
  if (written !== undefined && !/^\d{1,5}$/.test(written))
    throw new UsageError(`${name} must be a whole number of days, 0 or more, not "${written}".`);
  return written === undefined ? undefined : Number(written) * 24 * 60 * 60_000;
}

function daysAboveZero(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const written = count(env, name);
  return written === undefined ? undefined : written * 24 * 60 * 60_000;
}

export function milliseconds(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const seconds = count(env, name);
  return seconds === undefined ? undefined : seconds * 1000;
}
