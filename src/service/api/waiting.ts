import { isFinished, type Job, type JobStore } from "../jobs/index.js";

/** The requests that wait for a job to change. */
export interface Waiting {
  /** How many there are. */
  readonly count: number;
  /**
   * The job once it differs from `since`, or as it is when the time is over, a signal aborts, or `most` others wait
   * already. Undefined: it is gone.
   */
  forChange(since: Job, timeoutMs: number, signals: readonly (AbortSignal | undefined)[]): Promise<Job | undefined>;
}

export function createWaiting(jobs: JobStore, most: number): Waiting {
  let count = 0;
  return {
    get count() {
      return count;
    },
    async forChange(since, timeoutMs, signals) {
      const given = signals.filter((signal) => signal !== undefined);
      if (isFinished(since) || count >= most || given.some((signal) => signal.aborted)) return since;
      count += 1;
      try {
        return await jobs.waitForChange(since, timeoutMs, AbortSignal.any(given));
      } finally {
        count -= 1;
      }
    },
  };
}
