import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../lib/log.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { AgentSettings } from "../agent/index.js";
import { openSource } from "../git/checkout/index.js";
import type { Store } from "../open-store.js";
import { startExportProcess } from "./export-process.js";
import type { TaskDeps } from "./export-task.js";
import { confirmErasures, type JobCacheDeps } from "./job-cache.js";
import { type AgentJobDeps, runAgentJob } from "./run-agent-job.js";
import { exportJob, type JobDeps } from "./run-job.js";
import { runLeased, type WorkerObserver } from "./run-leased.js";
import { runShard } from "./run-shard.js";
import { keepSpareProcess } from "./spare-process.js";
import {
  capacityOfProcess,
  type ExportPriority,
  exportsAtOnce,
  heapOfExport,
  memoryOfExport,
  openSandbox,
  openWorkerFolder,
  type SandboxMode,
} from "./worker-machine.js";

/** Its declaration is published, so it names no type that comes from a schema of zod. */
export interface WorkerOptions extends Pick<JobCacheDeps, "cacheFolder">, Pick<TaskDeps, "assistant" | "analytics"> {
  readonly store: Store;
  /** Without it, agent jobs fail. */
  readonly agent?: AgentSettings | undefined;
  /** For files of running jobs; on this machine, may be shared by its workers. */
  readonly workFolder: string;
  /** Exports at once, each in its own process. Default: by the cores and the memory of the machine or container. */
  readonly concurrency?: number;
  /** Time for running jobs to finish once `signal` has aborted, in milliseconds; then they are requeued. */
  readonly graceMs?: number;
  /** Heap limit of an export's main thread, in MiB. Default: by the memory and `concurrency`, at most 2048. */
  readonly heapMb?: number;
  /** Resident memory at which an export's process gives up, in MiB. Default: its share of the memory. */
  readonly maxMemoryMb?: number;
  readonly observer?: Partial<WorkerObserver>;
  /** Walls around each export: see `SandboxMode`. */
  readonly sandbox?: SandboxMode;
  readonly exportPriority?: ExportPriority;
  /**
   * Keep the stored pages of sites in the object store, so that an export makes only what has changed since the last
   * one of the site by any worker. Default: true.
   */
  readonly shareCache?: boolean;
  /**
   * Number of pages to render from which other workers help with an export, if they share their cache; 0: never.
   * Default: 4000.
   */
  readonly splitAbove?: number;
  /** Keep a process ready for the next job, which then starts sooner. Default: true. */
  readonly keepSpare?: boolean;
  readonly log?: Log;
  readonly now?: () => number;
  readonly signal: AbortSignal;
}

export const workerDefaults = {
  graceMs: 10_000,
  observer: {} as Partial<WorkerObserver>,
  sandbox: "auto",
  exportPriority: "idle",
  keepSpare: true,
  shareCache: true,
  splitAbove: 4000,
  log: () => {},
  now: Date.now,
} as const satisfies Partial<WorkerOptions>;

const heartbeatMs = 5000;
/** Notifications of new work can be lost, so the worker also polls. */
const pollMs = 1000;
const longestBackoffMs = 10_000;

/**
 * Takes jobs and exports them until `signal` aborts.
 *
 * Out:   resolves once every job has ended or been requeued and the worker's folder is removed.
 * Fails: if `workFolder` cannot be created, or `sandbox` is `required` and impossible. Database errors are retried as
 *        long as the worker runs.
 * Stops: once `signal` aborts, takes no more jobs; running ones get `graceMs`.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const settings = { ...workerDefaults, ...withoutUndefined(options) };
  const { store, signal, log, now, observer } = settings;
  const capacity = capacityOfProcess();
  const concurrency = options.concurrency ?? exportsAtOnce(capacity);
  const maxMemoryMb = options.maxMemoryMb ?? memoryOfExport(capacity, concurrency);
  const heapMb = options.heapMb ?? heapOfExport(capacity, concurrency);
  const workerId = `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`;
  const folder = await openWorkerFolder(settings.workFolder, workerId, now);
  const sandbox = await openSandbox(settings, folder.path, log).catch(async (error: unknown) => {
    await folder.remove();
    throw error;
  });
  const { background } = sandbox;
  const exportPriority = background && (background.prefix.length > 0 ? "idle" : "lowest");
  const startProcess = (site?: string) => startExportProcess({ heapMb, folder: folder.path, site, sandbox });
  const processes = keepSpareProcess(startProcess, settings.keepSpare);
  const deps: JobDeps & AgentJobDeps = {
    ...settings,
    openSource,
    processes,
    maxMemoryMb,
    pagesAtOnce: concurrency === 1 ? undefined : Math.max(1, Math.floor(capacity.cores / concurrency)),
  };
  const shutdown = new AbortController();
  /** Each with its project. */
  const running = new Map<Promise<void>, string>();
  const isBusy = (projectId: string): boolean => [...running.values()].includes(projectId);
  let taking: Promise<unknown> = Promise.resolve();
  let onRoom = (): void => {};
  signal.addEventListener("abort", () => onRoom(), { once: true });

  const sendHeartbeats = async (): Promise<void> => {
    const heartbeat = async (): Promise<void> => {
      await store.jobs.workerHeartbeat(workerId);
      observer.heartbeat?.();
      await folder.refresh();
      await confirmErasures(workerId, settings, isBusy, () => taking);
    };
    while (!shutdown.signal.aborted) {
      await heartbeat().catch((error: unknown) => log("warn", "worker heartbeat failed", failure(error)));
      await sleep(heartbeatMs, undefined, { signal: shutdown.signal }).catch(() => {});
    }
  };
  const start = (projectId: string, work: Promise<void>): void => {
    const run = work.finally(() => {
      running.delete(run);
      onRoom();
    });
    running.set(run, projectId);
  };
  const takeJobs = async (): Promise<void> => {
    let backoffMs = 500;
    let room = concurrency;
    while (!signal.aborted) {
      try {
        const leasing = store.jobs.take(workerId, running.size === 0);
        taking = leasing.catch(() => {});
        const lease = await leasing;
        backoffMs = 500;
        room = lease?.alone ? 1 : concurrency;
        if (lease?.alone)
          log("warn", "running the job alone, because its workers died twice", { jobId: lease.job.jobId });
        if (lease) {
          const work = lease.job.agentJobId === undefined ? exportJob : runAgentJob;
          start(lease.job.projectId, runLeased(lease, deps, shutdown.signal, work));
        }
        // Jobs come first: a part only helps a worker that could finish alone.
        const leasingShard = lease || settings.splitAbove === 0 ? undefined : store.shards.take(workerId);
        if (leasingShard) taking = leasingShard.catch(() => {});
        const shard = await leasingShard;
        if (shard) start(shard.job.projectId, runShard(shard, deps, shutdown.signal));
        else if (!lease) await store.jobs.waitForWork(pollMs, signal);
      } catch (error) {
        log("warn", "failed to take a job, retrying", failure(error));
        await sleep(backoffMs, undefined, { signal }).catch(() => {});
        backoffMs = Math.min(longestBackoffMs, backoffMs * 2);
      }
      while (running.size >= room && !signal.aborted)
        await new Promise<void>((resolve) => {
          onRoom = resolve;
        });
    }
  };

  log("info", "worker started", { workerId, concurrency, heapMb, ...capacity, exportPriority });
  processes.refill();
  const heartbeats = sendHeartbeats();
  await takeJobs();
  const grace = setTimeout(() => shutdown.abort(), settings.graceMs);
  await Promise.all(running.keys());
  clearTimeout(grace);
  shutdown.abort();
  await processes.close();
  await heartbeats;
  await store.jobs
    .removeWorker(workerId)
    .catch((error: unknown) => log("warn", "failed to remove the worker from the database", failure(error)));
  await folder.remove();
  log("info", "worker stopped", { workerId });
}

const failure = (error: unknown): { readonly error: string } => ({ error: String(error) });
