import { setTimeout as sleep } from "node:timers/promises";
import { guardedFetch } from "../../lib/fetch/index.js";
import type { Log } from "../../lib/log.js";
import { jobView } from "../api/index.js";
import type { AccountStore, Delivery, Job, JobStore } from "../jobs/index.js";
import { signWebhook } from "./sign-webhook.js";

export interface DeliveryOptions {
  readonly store: { readonly jobs: JobStore; readonly accounts: AccountStore };
  /** Also to addresses of private networks, and by http:// there. */
  readonly allowPrivate: boolean;
  readonly log: Log;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const [second, minute, hour] = [1000, 60_000, 3_600_000];
/** Before the second attempt, the third, and so on; together they come to a day. */
const backoffMs = [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 8 * hour, 8 * hour] as const;

const requestMs = 15_000;
/** Nobody else takes a delivery meanwhile; a process that dies with it leaves it to others after this. */
const holdMs = 2 * requestMs;
/** A receiver that is slow must not make the others wait. */
const atOnce = 8;
const lookMs = 1000;

/**
 * Tells webhooks that jobs have ended, each at least once: it counts as told when it is answered with 2xx.
 *
 * Fails: never. A database that does not answer is asked again.
 * Stops: once `signal` aborts; what was being told is told again by another process, or later.
 */
export async function deliverWebhooks(options: DeliveryOptions): Promise<void> {
  await Promise.all(Array.from({ length: atOnce }, (_, i) => deliverInTurn(options, i * (lookMs / atOnce))));
}

async function deliverInTurn(options: DeliveryOptions, startMs: number): Promise<void> {
  const { store, log, signal } = options;
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {});
  await pause(startMs);
  while (!signal.aborted) {
    try {
      const delivery = await store.jobs.takeDelivery(holdMs);
      if (delivery) await deliver(delivery, options);
      else await pause(lookMs * atOnce);
    } catch (error) {
      if (signal.aborted) return;
      log("warn", "webhooks could not be delivered; it is tried again", { error: String(error) });
      await pause(lookMs * atOnce);
    }
  }
}

async function deliver(delivery: Delivery, options: DeliveryOptions): Promise<void> {
  const { job, deliveryId, attempt } = delivery;
  const { store, log, now, signal, allowPrivate } = options;
  const project = await store.accounts.projectById(job.projectId);
  // Whoever removed the site took the secret with it, and the receiver could not tell the message from a forged one.
  if (!project || job.webhookUrl === undefined) return store.jobs.endDelivery(deliveryId);
  const body = JSON.stringify(messageOf(job));
  const headers = {
    "content-type": "application/json",
    ...signWebhook(project.webhookSecret, deliveryId, new Date(now()), body),
  };
  const outcome = await guardedFetch(
    job.webhookUrl,
    { method: "POST", headers, body, allowPrivate, timeoutMs: requestMs, maxBytes: 64 * 1024 },
    signal,
  );
  const waitMs = backoffMs[attempt - 1];
  if (outcome.ok || waitMs === undefined) await store.jobs.endDelivery(deliveryId);
  else await store.jobs.endDelivery(deliveryId, new Date(now() + waitMs * (0.9 + 0.2 * Math.random())));
  const facts = { jobId: job.jobId, deliveryId, attempt };
  if (outcome.ok) return log("info", "a webhook was told", facts);
  const message = waitMs === undefined ? "a webhook was given up" : "a webhook was not delivered yet";
  log("warn", message, { ...facts, why: outcome.reason });
}

/** As the API shows the job, and nothing of where its bundle lies. */
const messageOf = (job: Job) => ({
  type: `static_export.${job.status}`,
  timestamp: (job.finishedAt ?? job.updatedAt).toISOString(),
  data: jobView(job),
});
