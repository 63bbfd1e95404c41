import type { Job } from "../job.js";
import type { StoreDeps } from "./store-deps.js";

/** Longest delay after a lost notification. */
const pollMs = 1_000;

/** Resolves with the job when it differs from `since`, after `timeoutMs`, or once `signal` aborts. */
export async function waitForChange(
  deps: StoreDeps,
  get: (jobId: string) => Promise<Job | undefined>,
  since: Job,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Job | undefined> {
  const endsAt = performance.now() + timeoutMs;
  for (;;) {
    const leftMs = Math.max(0, endsAt - performance.now());
    // Start to wait before reading, so that no change is missed in between.
    const done = new AbortController();
    const notified = deps.notifier.wait(since.jobId, Math.min(leftMs, pollMs), AbortSignal.any([signal, done.signal]));
    try {
      const job = await get(since.jobId);
      if (job === undefined || differs(job, since) || leftMs === 0 || signal.aborted) return job;
      await notified;
    } finally {
      done.abort();
    }
  }
}

/** Any visible change affects one of these. */
const differs = (a: Job, b: Job): boolean =>
  a.status !== b.status ||
  a.progress !== b.progress ||
  a.pageCount !== b.pageCount ||
  a.attempt !== b.attempt ||
  a.updatedAt.getTime() !== b.updatedAt.getTime();
