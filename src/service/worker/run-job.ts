import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../lib/log.js";
import type { openSource } from "../checkout/index.js";
import type { AccountStore, Bundle, JobStore, Lease } from "../jobs/index.js";
import type { ObjectStore } from "../store/index.js";
import { bundleKey } from "./bundle-key.js";
import { type HeldLease, holdLease } from "./hold-lease.js";
import { failureOf, failureOfOutcome, JobFailure, surroundings } from "./job-failure.js";
import { JobStop } from "./job-stop.js";
import type { SpareProcess } from "./spare-process.js";

export interface JobParts {
  readonly store: { readonly jobs: JobStore; readonly accounts: AccountStore; readonly objects: ObjectStore };
  readonly openSource: typeof openSource;
  readonly processes: SpareProcess;
  /** Shared by all workers of this machine. */
  readonly cacheFolder: string;
  /** Of this worker alone. */
  readonly workFolder: string;
  /** Pages that one export renders at once; undefined: as many as there are cores. */
  readonly pagesAtOnce?: number;
  readonly log: Log;
  readonly now: () => number;
}

/**
 * Exports what the job asks for and publishes it, as long as the lease lives.
 *
 * Out:   the job is completed, failed or given back; nothing of it is left on this machine's disk.
 * Fails: never; what cannot be told to the store is told to the log, and the lease runs out.
 * Stops: once `leave` aborts, gives the job back.
 */
export async function runJob(lease: Lease, parts: JobParts, leave: AbortSignal): Promise<void> {
  const { job, fence } = lease;
  const { log, now } = parts;
  const started = now();
  const held = holdLease(lease, parts.store.jobs, log, now);
  const onLeave = (): void => held.stop(new JobStop("leaving"));
  if (leave.aborted) onLeave();
  leave.addEventListener("abort", onLeave, { once: true });
  const folder = join(parts.workFolder, `${job.jobId}-${fence}`);
  const facts = { jobId: job.jobId, domain: job.domain, attempt: job.attempt };
  try {
    const made = await makeBundle(lease, held, folder, parts);
    await publish(lease, held, made, parts);
    log("info", "a job is completed", { ...facts, pages: made.pageCount, ms: now() - started });
  } catch (error) {
    await giveUp(lease, error, parts).catch((error: unknown) =>
      log("error", "the end of an attempt could not be told", { ...facts, error: String(error) }),
    );
  } finally {
    leave.removeEventListener("abort", onLeave);
    await held.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) =>
      log("error", "a folder could not be removed", { ...facts, error: String(error) }),
    );
  }
}

/** Tells the store how an attempt ended without a bundle, unless the job is another's by now. */
async function giveUp(lease: Lease, error: unknown, { store: { jobs }, log }: JobParts): Promise<void> {
  const { jobId, domain, attempt } = lease.job;
  const facts = { jobId, domain, attempt };
  if (error instanceof JobStop) {
    log("info", "a job was stopped", { ...facts, why: error.message });
    if (error.why === "leaving") await persist(() => jobs.release(lease));
    return;
  }
  const failure = failureOf(error);
  log(failure.retry ? "warn" : "error", "a job's attempt failed", { ...facts, why: fullText(failure) });
  await persist(() => jobs.fail(lease, failure.message, failure.retry));
}

interface Made extends Omit<Bundle, "objectKey"> {
  readonly archive: string;
  readonly pageCount: number;
}

async function makeBundle(lease: Lease, held: HeldLease, folder: string, parts: JobParts): Promise<Made> {
  const { job } = lease;
  const { signal } = held;
  signal.throwIfAborted();
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw surroundings("The worker's disk cannot be written.", error);
  });
  const project = await parts.store.accounts.projectById(job.projectId).catch((error: unknown) => {
    throw surroundings("The service's database could not be read.", error);
  });
  if (!project) throw new JobFailure(`The site ${job.domain} is no longer registered.`, false);
  const source = await parts.openSource(project.source, {
    version: job.version,
    workFolder: folder,
    cacheFolder: join(parts.cacheFolder, "git"),
    signal,
  });
  const archive = join(folder, "bundle.tar.gz");
  const exporting = parts.processes.take();
  try {
    const outcome = await exporting.run(
      {
        source: source.folder,
        archive,
        deployment: project.deployment,
        fallbackBaseUrl: `https://${job.domain}`,
        paths: job.paths,
        cacheFolder: parts.cacheFolder,
        concurrency: parts.pagesAtOnce,
      },
      ({ progress, pageCount }) => held.show({ progress: Math.min(99, Math.floor(progress)), pageCount }),
      signal,
    );
    if (outcome.kind !== "exported") throw failureOfOutcome(outcome);
    return { archive, bytes: outcome.bytes, sha256: outcome.sha256, pageCount: outcome.pageCount };
  } finally {
    exporting.end();
    // While the bundle is uploaded the next process loads.
    parts.processes.refill();
    await source.remove();
  }
}

/** Whoever loses the lease meanwhile takes back what it stored: a bundle that nobody refers to stays nowhere. */
async function publish(lease: Lease, held: HeldLease, made: Made, { store, log }: JobParts): Promise<void> {
  const { jobId } = lease.job;
  const objectKey = bundleKey(jobId, lease.fence);
  const { archive, bytes, sha256, pageCount } = made;
  await store.objects.put(objectKey, archive, "application/gzip", held.signal).catch((error: unknown) => {
    held.signal.throwIfAborted();
    throw surroundings("The bundle could not be stored.", error);
  });
  const isPublished = await persist(
    // The answer of an earlier try may have been lost on its way.
    async () =>
      (await store.jobs.complete(lease, { objectKey, bytes, sha256 }, pageCount)) ||
      (await store.jobs.get(jobId))?.bundle?.objectKey === objectKey,
  ).catch((error: unknown) => {
    throw surroundings("The service's database could not be written.", error);
  });
  if (isPublished) return;
  await store.objects
    .remove(objectKey)
    .catch((error: unknown) =>
      log("warn", "a bundle that nobody wants could not be removed", { jobId, objectKey, error: String(error) }),
    );
  throw new JobStop("lost");
}

/** Tries again for some seconds, as a database that restarts takes. */
async function persist<T>(write: () => Promise<T>): Promise<T> {
  for (let waitMs = 250; ; waitMs *= 2) {
    try {
      return await write();
    } catch (error) {
      if (waitMs > 8000) throw error;
      await sleep(waitMs);
    }
  }
}

function fullText(error: Error): string {
  const { cause } = error;
  const why = cause instanceof Error ? (cause.stack ?? cause.message) : cause;
  return why === undefined ? error.message : `${error.message} (${String(why)})`;
}
