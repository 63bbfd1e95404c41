import { isFinished, type Job, type JobStore } from "../jobs/index.js";

export type LongPolls = ReturnType<typeof createLongPolls>;

/** Requests that wait for a job to change. */
export function createLongPolls(jobs: JobStore, maxCount: number) {
  let count = 0;
  return {
    get count() {
      return count;
    },
    /**
     * Resolves with the job when it differs from `since`, after the timeout, once a signal aborts, or at once if
     * `maxCount` requests wait already. Undefined: the job was deleted.
     */
    async forChange(since: Job, timeoutMs: number, signals: readonly (AbortSignal | undefined)[]) {
      const given = signals.filter((signal) => signal !== undefined);
      if (isFinished(since) || count >= maxCount || given.some((signal) => signal.aborted)) return since;
      count += 1;
      try {
        return await jobs.waitForChange(since, timeoutMs, AbortSignal.any(given));
      } finally {
        count -= 1;
      }
    },
  };
}
