import { realpath } from "node:fs/promises";
import type { Project, ShardLease } from "../jobs/index.js";
import { localFolder, taskOf } from "./export-task.js";
import { openJobCache } from "./job-cache.js";
import { failureOfOutcome } from "./job-failure.js";
import { type JobDeps, openSite } from "./run-job.js";
import { JobStop, keepRenewing, logFailure } from "./run-leased.js";
import { takeProcess } from "./spare-process.js";

const heartbeatMs = 1000;

/**
 * Renders the pages of a leased part of another worker's job into the shared cache of the site; then takes further
 * parts of the same job while no job waits, since the site is read once for all of them.
 *
 * Out:   each part is completed, failed or released; the files are removed from this machine.
 * Fails: never. If the end of a part cannot be stored, that is logged, and the lease expires.
 * Stops: once `shutdown` aborts, releases the part.
 */
export async function runShard(lease: ShardLease, deps: JobDeps, shutdown: AbortSignal): Promise<void> {
  const { log, store } = deps;
  const { jobId, domain } = lease.job;
  const held = holdShards(lease, deps, shutdown);
  try {
    const project = await store.accounts.projectById(lease.job.projectId);
    if (!project || project.removedAt) throw new Error("The site is no longer registered.");
    await makeParts(held, project, deps);
  } catch (error) {
    const isStop = error instanceof JobStop;
    log(isStop ? "info" : "warn", "a part of a job was not rendered", {
      ...{ jobId, domain, part: held.lease()?.index, of: lease.count },
      error: String(error),
    });
    const isShutdown = isStop && error.why === "shutdown";
    await held.giveUp(isShutdown).catch(logFailure(log, "failed to save the result of a part", { jobId }));
  } finally {
    await held.close();
  }
}

async function makeParts(held: ReturnType<typeof holdShards>, project: Project, deps: JobDeps): Promise<void> {
  const { job, index, count } = held.lease()!;
  const { signal } = held;
  const site = await localFolder(project);
  const exporting = takeProcess(deps, site);
  const { folders } = exporting;
  try {
    const source = await openSite(project, job, folders, deps, signal);
    const cache = await openJobCache(job.jobId, project, folders, deps, signal);
    const nextPart = async () => {
      // The pages of a part must reach the other workers before the part counts as made.
      await cache.sendPartial();
      await held.complete();
      const next = await held.next();
      return next && { index: next.index };
    };
    try {
      const task = { ...taskOf(job, project, await realpath(source.folder), folders, deps), shard: { index, count } };
      const answers = { "next part": nextPart };
      const outcome = await exporting.run(task, ({ pageCount }) => held.update(pageCount), signal, answers);
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

/** Renews the leases of the parts that one worker makes one after the other. */
function holdShards(first: ShardLease, { log, store: { jobs, shards } }: JobDeps, shutdown: AbortSignal) {
  let lease: ShardLease | undefined = first;
  let pageCount = 0;
  const logPart = (message: string, { job: { jobId, domain }, index, count }: ShardLease): void =>
    log("info", message, { jobId, domain, part: index, of: count, pages: pageCount });
  const renew = async (): Promise<boolean> => {
    const renewed = lease;
    if (!renewed) return true;
    const onFailure = logFailure(log, "heartbeat failed", { jobId: first.job.jobId }, true);
    return (await shards.heartbeat(renewed, pageCount).catch(onFailure)) || lease !== renewed;
  };
  logPart("took a part of a job", first);
  const { signal, lose, close } = keepRenewing(heartbeatMs, renew, shutdown);
  return {
    signal,
    close,
    /** Undefined between two parts. */
    lease: () => lease,
    update(count: number): void {
      pageCount = count;
    },
    async complete(): Promise<void> {
      const rendered = lease!;
      lease = undefined;
      if (!(await shards.complete(rendered, pageCount))) lose();
      signal.throwIfAborted();
      logPart("rendered a part of a job", rendered);
      pageCount = 0;
    },
    /** Another part of the same job; undefined while a job waits for a worker. */
    async next(): Promise<ShardLease | undefined> {
      if ((await jobs.counts()).queued > 0) return undefined;
      lease = await shards.take(first.workerId, first.job.jobId);
      if (lease) logPart("took a part of a job", lease);
      return lease;
    },
    async giveUp(isShutdown: boolean): Promise<void> {
      const abandoned = lease;
      lease = undefined;
      if (abandoned) await (isShutdown ? shards.release(abandoned) : shards.fail(abandoned));
    },
  };
}
