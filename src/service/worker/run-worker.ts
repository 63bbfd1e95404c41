import { randomBytes } from "node:crypto";
import { availableParallelism, hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../lib/log.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { openSource } from "../checkout/index.js";
import type { Lease } from "../jobs/index.js";
import { startExportProcess } from "./export-process.js";
import { type JobParts, runJob } from "./run-job.js";
import { keepSpareProcess } from "./spare-process.js";
import { openWorkerFolder } from "./worker-folder.js";

export interface WorkerOptions extends Pick<JobParts, "store" | "cacheFolder"> {
  /** For what is being worked on; must be on this machine. Other workers of it may share it. */
  readonly workFolder: string;
  /** Exports at once, each in a process of its own. */
  readonly concurrency?: number;
  /** Longest that running jobs may go on once `signal` has aborted, in milliseconds; then they are given back. */
  readonly graceMs?: number;
  /** Of an export's main thread, in MiB. */
  readonly heapMb?: number;
  readonly log?: Log;
  readonly now?: () => number;
  readonly signal: AbortSignal;
}

/** An export uses two cores well: one reads and packs while the other renders. */
export const workerDefaults = {
  concurrency: Math.max(1, Math.floor(availableParallelism() / 2)),
  graceMs: 10_000,
  heapMb: 2048,
  log: () => {},
  now: Date.now,
} as const satisfies Partial<WorkerOptions>;

/** Between two words that the worker lives. */
const lifeMs = 5000;
/** A word that there is work may get lost; so often it is looked for anyway. */
const lookMs = 1000;
const longestBackoffMs = 10_000;

/**
 * Takes jobs and exports them until `signal` aborts.
 *
 * Out:   resolves once every job has ended or has been given back, and the worker's folder is gone.
 * Fails: if `workFolder` cannot be made. A database that does not answer is asked again for as long as the worker lives.
 * Stops: takes no job from then on; those that run are given `graceMs`.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const settings = { ...workerDefaults, ...withoutUndefined(options) };
  const { store, signal, log, concurrency, now } = settings;
  const workerId = `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`;
  const folder = await openWorkerFolder(settings.workFolder, workerId, now);
  const processes = keepSpareProcess(() =>
    startExportProcess({ heapMb: settings.heapMb, temporaryFolder: folder.path }),
  );
  const parts: JobParts = {
    ...settings,
    openSource,
    processes,
    workFolder: folder.path,
    pagesAtOnce: concurrency === 1 ? undefined : Math.max(1, Math.floor(availableParallelism() / concurrency)),
  };
  const leave = new AbortController();
  const running = new Set<Promise<void>>();
  let onRoom = (): void => {};
  signal.addEventListener("abort", () => onRoom(), { once: true });

  const live = async (): Promise<void> => {
    const speak = async (): Promise<void> => {
      await store.jobs.workerLives(workerId);
      await folder.keep();
    };
    while (!leave.signal.aborted) {
      await speak().catch((error: unknown) => log("warn", "the worker could not say that it lives", failure(error)));
      await sleep(lifeMs, undefined, { signal: leave.signal }).catch(() => {});
    }
  };
  const start = (lease: Lease): void => {
    const run = runJob(lease, parts, leave.signal).finally(() => {
      running.delete(run);
      onRoom();
    });
    running.add(run);
  };
  const takeJobs = async (): Promise<void> => {
    let backoffMs = 500;
    while (!signal.aborted) {
      try {
        const lease = await store.jobs.take(workerId);
        backoffMs = 500;
        if (lease) start(lease);
        else await store.jobs.waitForWork(lookMs, signal);
      } catch (error) {
        log("warn", "no job could be taken; it is tried again", failure(error));
        await sleep(backoffMs, undefined, { signal }).catch(() => {});
        backoffMs = Math.min(longestBackoffMs, backoffMs * 2);
      }
      while (running.size >= concurrency && !signal.aborted)
        await new Promise<void>((resolve) => {
          onRoom = resolve;
        });
    }
  };

  log("info", "the worker takes jobs", { workerId, concurrency });
  processes.refill();
  const living = live();
  await takeJobs();
  const grace = setTimeout(() => leave.abort(), settings.graceMs);
  await Promise.all(running);
  clearTimeout(grace);
  leave.abort();
  processes.close();
  await living;
  await store.jobs
    .workerLeaves(workerId)
    .catch((error: unknown) => log("warn", "the worker left unheard", failure(error)));
  await folder.remove();
  log("info", "the worker has left", { workerId });
}

const failure = (error: unknown): { readonly error: string } => ({ error: String(error) });
