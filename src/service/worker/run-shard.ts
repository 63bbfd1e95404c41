import { realpath } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Project, ShardLease, ShardStore } from "../jobs/index.js";
import { taskOf } from "./export-task.js";
import { openJobCache } from "./job-cache.js";
import { failureOfOutcome } from "./job-failure.js";
import type { PartAnswer } from "./messages.js";
import { type JobDeps, openSite } from "./run-job.js";
import { JobStop } from "./run-leased.js";
import { takeProcess } from "./spare-process.js";

const heartbeatMs = 1000;

/**
 * Makes the pages of a leased part of another worker's job, and stores them in the shared cache of the site; then other
 * parts of the same job, as long as no job waits: the site is read once for all.
 *
 * Out:   each part is completed, failed or released; the files are removed from this machine.
 * Fails: never. What cannot be stored is logged, and the lease expires.
 * Stops: once `shutdown` aborts, releases the part.
 */
export async function runShard(lease: ShardLease, deps: JobDeps, shutdown: AbortSignal): Promise<void> {
  const { log, store } = deps;
  const { jobId, domain } = lease.job;
  const held = holdShards(lease, store.shards, deps);
  const onShutdown = (): void => held.stop(new JobStop("shutdown"));
  if (shutdown.aborted) onShutdown();
  shutdown.addEventListener("abort", onShutdown, { once: true });
  try {
    const project = await store.accounts.projectById(lease.job.projectId);
    if (!project || project.removedAt) throw new Error("The site is no longer registered.");
    await makeParts(held, project, deps);
  } catch (error) {
    const isStop = error instanceof JobStop;
    log(isStop ? "info" : "warn", "part of a job not made", {
      ...{ jobId, domain, part: held.lease()?.index, of: lease.count },
      error: String(error),
    });
    await held.giveUp(isStop && error.why === "shutdown").catch((fault: unknown) => {
      log("warn", "the end of a part could not be stored", { jobId, error: String(fault) });
    });
  } finally {
    shutdown.removeEventListener("abort", onShutdown);
    await held.close();
  }
}

async function makeParts(held: ReturnType<typeof holdShards>, project: Project, deps: JobDeps): Promise<void> {
  const { job, index, count } = held.lease()!;
  const { signal } = held;
  const { source: from } = project;
  const site = from.kind === "folder" ? await realpath(from.path).catch(() => undefined) : undefined;
  const exporting = takeProcess(deps, site);
  const { folders } = exporting;
  try {
    const source = await openSite(project, job, folders, deps, signal);
    const cache = await openJobCache(job.jobId, project, folders, deps, signal);
    /** The pages of a part reach the other workers before it counts as made. */
    const complete = async (): Promise<void> => {
      await cache.sendPartial();
      await held.complete();
    };
    const answer = async (): Promise<PartAnswer> => {
      await complete();
      const next = await held.next();
      return { part: next ? { index: next.index } : null };
    };
    try {
      const task = { ...taskOf(job, project, await realpath(source.folder), folders, deps), shard: { index, count } };
      const outcome = await exporting.run(task, ({ pageCount }) => held.update(pageCount), signal, { part: answer });
      if (outcome.kind !== "filled") throw failureOfOutcome(outcome);
      deps.observer.pagesRendered?.(outcome.pageMs);
    } finally {
      await exporting.end();
      await cache.close();
      await source.remove();
    }
  } finally {
    await exporting.remove();
    deps.processes.refill(site);
  }
}

/** The leases of parts that one worker makes one after the other; renewed even while the export's process is busy. */
function holdShards(first: ShardLease, shards: ShardStore, { log, store: { jobs } }: JobDeps) {
  const stop = new AbortController();
  const timers = new AbortController();
  let lease: ShardLease | undefined = first;
  let pageCount = 0;
  const say = (message: string, { job: { jobId, domain }, index, count }: ShardLease): void =>
    log("info", message, { jobId, domain, part: index, of: count, pages: pageCount });

  const beat = async (): Promise<void> => {
    while (!timers.signal.aborted) {
      await sleep(heartbeatMs, undefined, { signal: timers.signal }).catch(() => {});
      const current = lease;
      if (timers.signal.aborted || !current) continue;
      const isHeld = await shards.heartbeat(current, pageCount).catch((error: unknown) => {
        log("warn", "heartbeat failed", { jobId: current.job.jobId, error: String(error) });
        return true;
      });
      if (!isHeld && lease === current) return stop.abort(new JobStop("lost"));
    }
  };
  say("part of a job leased", first);
  const running = beat();
  return {
    /** Undefined between two parts. */
    lease: () => lease,
    signal: stop.signal,
    stop: (reason: JobStop) => stop.abort(reason),
    update(count: number): void {
      pageCount = count;
    },
    async complete(): Promise<void> {
      const done = lease!;
      lease = undefined;
      if (!(await shards.complete(done, pageCount))) stop.abort(new JobStop("lost"));
      stop.signal.throwIfAborted();
      say("part of a job made", done);
      pageCount = 0;
    },
    /** Another part of the same job. None while a job waits for a worker. */
    async next(): Promise<ShardLease | undefined> {
      if ((await jobs.counts()).queued > 0) return undefined;
      lease = await shards.take(first.workerId, first.job.jobId);
      if (lease) say("part of a job leased", lease);
      return lease;
    },
    async giveUp(isShutdown: boolean): Promise<void> {
      const left = lease;
      lease = undefined;
      if (left) await (isShutdown ? shards.release(left) : shards.fail(left));
    },
    async close(): Promise<void> {
      timers.abort();
      await running;
    },
  };
}
