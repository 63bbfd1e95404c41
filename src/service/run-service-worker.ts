import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../lib/log.js";
import { type DeliveryOptions, deliverWebhooks } from "./deliver-webhooks.js";
import { continueErasures } from "./erase.js";
import { dayOf, type Job } from "./jobs/index.js";
import type { Store } from "./open-store.js";
import { bundleKey, bundlesPrefix, cachePrefix, diagnosticsKey, indexKey, pruneCacheObjects } from "./store/index.js";
import { runWorker, type WorkerOptions } from "./worker/run-worker.js";

export interface ServiceWorkerOptions extends WorkerOptions, MaintenanceOptions {}

/**
 * Runs a worker and the maintenance of the store.
 *
 * Stops: once `signal` aborts, takes no more jobs; running ones get `graceMs`.
 */
export async function runServiceWorker(options: ServiceWorkerOptions): Promise<void> {
  const maintenance = runMaintenance(options);
  await runWorker(options);
  await maintenance;
}

export interface MaintenanceOptions extends Pick<DeliveryOptions, "signal"> {
  readonly store: Store;
  /** Allows webhooks to private networks. Off by default, since clients could reach internal services. */
  readonly allowPrivateWebhooks?: boolean;
  readonly log?: Log;
  readonly now?: () => number;
}
const maintenanceDefaults = {
  allowPrivateWebhooks: false,
  log: () => {},
  now: Date.now,
} as const satisfies Partial<MaintenanceOptions>;

const jobsMs = 3000;
const retentionMs = 60_000;
const erasuresMs = 5000;
const daysMs = 10 * 60_000;

/** A day is closed this long after midnight, once every process has stored its counts. */
const lateMs = 5 * 60_000;
const objectsMs = 60 * 60_000;

/** The number of jobs that are pruned at a time. */
const batch = 50;

/**
 * Background work: expires the leases of dead workers, prunes old jobs with their bundles, closes the
 * days of page views, sends webhooks. May run in many processes at once.
 *
 * Fails: never. Errors are logged, and the work is retried.
 * Stops: once `signal` aborts.
 */
export async function runMaintenance(options: MaintenanceOptions): Promise<void> {
  const { store, log, signal, now, allowPrivateWebhooks } = { ...maintenanceDefaults, ...options };
  const repeat = async (what: string, everyMs: number, work: () => Promise<unknown>): Promise<void> => {
    while (!signal.aborted) {
      await work().catch((error: unknown) => {
        if (!signal.aborted) log("warn", `${what} failed, retrying`, { error: String(error) });
      });
      await sleep(everyMs, undefined, { signal }).catch(() => {});
    }
  };
  await Promise.all([
    repeat("maintenance of jobs", jobsMs, () => store.jobs.maintain()),
    repeat("pruning of jobs", retentionMs, () => pruneJobs(store, signal)),
    repeat("erasing", erasuresMs, () => continueErasures(store, signal)),
    repeat("closing of days", daysMs, () => store.views.closeDays(dayOf(now() - lateMs))),
    repeat("pruning of uploads", objectsMs, () => store.objects.prune(bundlesPrefix)),
    repeat("pruning of stored pages", objectsMs, () => pruneCaches(store, now)),
    deliverWebhooks({ store, log, signal, now, allowPrivate: allowPrivateWebhooks }),
  ]);
}

/** Removes the objects before the row, so that the next run finds the job again after a crash. */
async function pruneJobs(store: Store, signal: AbortSignal): Promise<void> {
  for (let jobs = await store.jobs.outdated(batch); jobs.length > 0; jobs = await store.jobs.outdated(batch))
    for (const job of jobs) {
      if (signal.aborted) return;
      for (const key of objectKeys(job)) await store.objects.remove(key);
      await store.jobs.remove(job.jobId);
    }
}

/** Removes the stored pages of sites that are no longer exported or registered. */
async function pruneCaches({ objects, accounts }: Store, now: () => number): Promise<void> {
  await pruneCacheObjects(objects, cachePrefix, now, async (prefix) => {
    const [organizationId, projectId] = prefix.slice(cachePrefix.length).split("/");
    const projects = await accounts.projects(organizationId!);
    return !projects.some((project) => project.projectId === projectId);
  });
}

/** The bundle, its index and the diagnostics, and those of attempts that died after the upload. */
function objectKeys({ jobId, ...job }: Job): Set<string> {
  const attempts = Array.from({ length: job.attempt }, (_, i) => i + 1);
  const keys = attempts.flatMap((attempt) =>
    [bundleKey, diagnosticsKey, indexKey].map((keyOf) => keyOf(jobId, attempt)),
  );
  return new Set(job.bundle ? [...keys, job.bundle.objectKey] : keys);
}
