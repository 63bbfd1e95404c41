import { setTimeout as sleep } from "node:timers/promises";
import { isFinished, type Job, type JobStore } from "../../jobs/index.js";

type Listener = (job: Job) => void;

/** Watches jobs for any number of streams: each job is watched once in a process. */
export interface JobWatch {
  /** Calls `listener` with each change until the job has ended or `signal` aborts. */
  watch(job: Job, listener: Listener, signal: AbortSignal): void;
}

const waitMs = 30_000;
const pauseAfterErrorMs = 2_000;

export function createJobWatch(jobs: Pick<JobStore, "waitForChange">): JobWatch {
  const watched = new Map<string, { readonly listeners: Set<Listener>; readonly stop: AbortController; last: Job }>();

  async function follow(jobId: string): Promise<void> {
    for (let entry = watched.get(jobId); entry; entry = watched.get(jobId)) {
      const { stop, listeners } = entry;
      try {
        const job = await jobs.waitForChange(entry.last, waitMs, stop.signal);
        if (stop.signal.aborted || !job) break;
        if (!isSame(job, entry.last)) for (const listener of listeners) listener(job);
        entry.last = job;
        if (isFinished(job)) break;
      } catch {
        // The database is away: it may be back soon.
        await sleep(pauseAfterErrorMs, undefined, { ref: false, signal: stop.signal }).catch(() => {});
      }
    }
    watched.delete(jobId);
  }

  return {
    watch(job, listener, signal) {
      if (isFinished(job) || signal.aborted) return;
      const known = watched.get(job.jobId);
      const entry = known ?? { listeners: new Set<Listener>(), stop: new AbortController(), last: job };
      entry.listeners.add(listener);
      if (!known) {
        watched.set(job.jobId, entry);
        void follow(job.jobId);
      }
      signal.addEventListener(
        "abort",
        () => {
          entry.listeners.delete(listener);
          if (entry.listeners.size > 0) return;
          entry.stop.abort();
          if (watched.get(job.jobId) === entry) watched.delete(job.jobId);
        },
        { once: true },
      );
    },
  };
}

const isSame = (a: Job, b: Job): boolean =>
  a.status === b.status &&
  a.progress === b.progress &&
  a.pageCount === b.pageCount &&
  a.updatedAt.getTime() === b.updatedAt.getTime();
