import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { guardedFetch } from "../lib/fetch/index.js";
import type { Log } from "../lib/log.js";
import { jobView } from "./http/index.js";
import type { AccountStore, Delivery, Job, JobStore, Project } from "./jobs/index.js";

export interface DeliveryOptions {
  readonly store: { readonly jobs: JobStore; readonly accounts: AccountStore };
  /** Allows private networks as receivers, and http:// there. */
  readonly allowPrivate: boolean;
  readonly log: Log;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const [second, minute, hour] = [1000, 60_000, 3_600_000];

/** Delays before the second, third and further attempts: about a day in total. */
const retryDelaysMs = [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 8 * hour, 8 * hour] as const;

const requestMs = 15_000;

/** Other processes do not take a delivery for this long; then they retry it if this process died. */
const holdMs = 2 * requestMs;

/** A slow receiver must not delay the others. */
const concurrency = 8;
const pollMs = 1000;

/**
 * Sends the webhooks of finished jobs, each at least once, until the receiver answers with 2xx.
 *
 * Fails: never. Database errors are retried.
 * Stops: once `signal` aborts; an interrupted delivery is repeated later or by another process.
 */
export async function deliverWebhooks(options: DeliveryOptions): Promise<void> {
  await Promise.all(Array.from({ length: concurrency }, (_, i) => deliveryLoop(options, i * (pollMs / concurrency))));
}

async function deliveryLoop(options: DeliveryOptions, startMs: number): Promise<void> {
  const { store, log, signal } = options;
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {});
  await pause(startMs);
  while (!signal.aborted) {
    try {
      const delivery = await store.jobs.takeDelivery(holdMs);
      if (delivery) await deliver(delivery, options);
      else await pause(pollMs * concurrency);
    } catch (error) {
      if (signal.aborted) return;
      log("warn", "webhook delivery failed, retrying", { error: String(error) });
      await pause(pollMs * concurrency);
    }
  }
}

async function deliver(delivery: Delivery, options: DeliveryOptions): Promise<void> {
  const { job, deliveryId, attempt, event } = delivery;
  const { store, log, now, signal, allowPrivate } = options;
  const project = await store.accounts.projectById(job.projectId);
  // The secret was deleted with the project, so the message cannot be signed.
  if (!project || job.webhookUrl === undefined) return store.jobs.endDelivery(deliveryId);
  const body = JSON.stringify(messageOf(job, event));
  const headers = {
    "content-type": "application/json",
    ...signWebhook(secretsOf(project, now()), deliveryId, new Date(now()), body),
  };
  const outcome = await guardedFetch(
    job.webhookUrl,
    { method: "POST", headers, body, allowPrivate, timeoutMs: requestMs, maxBytes: 64 * 1024 },
    signal,
  );
  const waitMs = retryDelaysMs[attempt - 1];
  if (outcome.ok || waitMs === undefined) await store.jobs.endDelivery(deliveryId);
  else await store.jobs.endDelivery(deliveryId, new Date(now() + waitMs * (0.9 + 0.2 * Math.random())));
  const facts = { jobId: job.jobId, deliveryId, attempt };
  if (outcome.ok) return log("info", "webhook delivered", facts);
  const message = waitMs === undefined ? "gave up on webhook" : "webhook not delivered";
  log("warn", message, { ...facts, why: outcome.reason });
}

const secretsOf = ({ webhookSecret, oldWebhookSecret: previous }: Project, now: number): string[] =>
  previous && previous.until.getTime() > now ? [webhookSecret, previous.secret] : [webhookSecret];

/** The job as in the API, without the location of its bundle. */
const messageOf = (job: Job, event: Delivery["event"]) => ({
  type: `static_export.${event}`,
  timestamp: (job.finishedAt ?? job.updatedAt).toISOString(),
  data:
    event === "bundle_ready" && job.bundle
      ? { ...jobView(job), sizeBytes: job.bundle.bytes, sha256: job.bundle.sha256 }
      : jobView(job),
});

/**
 * Signature headers of the Standard Webhooks specification, version 1: a receiver can verify origin, content and age.
 *
 * In: a secret is `whsec_` and base64 of the key; a receiver accepts the message if it has one of `secrets`. `id` is the
 *     same in every attempt, so that a receiver can skip duplicates.
 */
function signWebhook(secrets: readonly string[], id: string, at: Date, body: string): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const signature = createHmac("sha256", signingKeyOf(secret)).update(`${id}.${timestamp}.${body}`).digest("base64");
    return `v1,${signature}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

const signingKeyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ""), "base64");
