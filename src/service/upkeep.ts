import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../lib/log.js";
import type { Job } from "./jobs/index.js";
import type { Store } from "./open-store.js";
import { type DeliveryOptions, deliverWebhooks } from "./webhooks/deliver-webhooks.js";
import { bundleKey, bundlesPrefix } from "./worker/index.js";

export interface UpkeepOptions extends Pick<DeliveryOptions, "signal"> {
  readonly store: Store;
  /** Webhooks may be told in private networks, too; without it clients could reach what only this machine reaches. */
  readonly allowPrivateWebhooks?: boolean;
  readonly log?: Log;
  readonly now?: () => number;
}
export const upkeepDefaults = {
  allowPrivateWebhooks: false,
  log: () => {},
  now: Date.now,
} as const satisfies Partial<UpkeepOptions>;

const sweepMs = 3000;
const retentionMs = 60_000;
const objectsMs = 60 * 60_000;
/** Jobs that are forgotten in one go. */
const batch = 50;

/**
 * What has to be done whether or not anyone asks: puts right what dead workers left, forgets old jobs with their bundles,
 * tells webhooks. May run in many processes at once.
 *
 * Fails: never. What does not succeed is logged and tried again.
 * Stops: once `signal` aborts.
 */
export async function runUpkeep(options: UpkeepOptions): Promise<void> {
  const { store, log, signal, now, allowPrivateWebhooks } = { ...upkeepDefaults, ...options };
  const repeat = async (what: string, everyMs: number, work: () => Promise<unknown>): Promise<void> => {
    while (!signal.aborted) {
      await work().catch((error: unknown) => {
        if (!signal.aborted) log("warn", `${what} failed; it is tried again`, { error: String(error) });
      });
      await sleep(everyMs, undefined, { signal }).catch(() => {});
    }
  };
  await Promise.all([
    repeat("the sweep of jobs", sweepMs, () => store.jobs.sweep()),
    repeat("the removal of old jobs", retentionMs, () => forgetOldJobs(store, signal)),
    repeat("the sweep of objects", objectsMs, () => store.objects.sweep(bundlesPrefix)),
    deliverWebhooks({ store, log, signal, now, allowPrivate: allowPrivateWebhooks }),
  ]);
}

/** The objects go before the row: killed in between, the next run finds the job again. */
async function forgetOldJobs(store: Store, signal: AbortSignal): Promise<void> {
  for (let jobs = await store.jobs.outdated(batch); jobs.length > 0; jobs = await store.jobs.outdated(batch))
    for (const job of jobs) {
      if (signal.aborted) return;
      for (const key of bundleKeys(job)) await store.objects.remove(key);
      await store.jobs.remove(job.jobId);
    }
}

/** Of the job's bundle, and of attempts that were killed between storing one and saying so. */
function bundleKeys(job: Job): Set<string> {
  const keys = Array.from({ length: job.attempt }, (_, i) => bundleKey(job.jobId, i + 1));
  return new Set(job.bundle ? [...keys, job.bundle.objectKey] : keys);
}
