import type { Job } from "../job.js";
import type { Parts } from "./parts.js";

/** A ring that got lost on its way costs no more than this, in milliseconds. */
const lookAgainMs = 1_000;

/** Resolves with the job when it differs from `since`, after `timeoutMs`, or once `signal` aborts. */
export async function waitForChange(
  parts: Parts,
  get: (jobId: string) => Promise<Job | undefined>,
  since: Job,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Job | undefined> {
  const endsAt = performance.now() + timeoutMs;
  for (;;) {
    const leftMs = Math.max(0, endsAt - performance.now());
    // The wait begins before the look, so that no change falls between them.
    const looked = new AbortController();
    const rung = parts.bell.wait(since.jobId, Math.min(leftMs, lookAgainMs), AbortSignal.any([signal, looked.signal]));
    try {
      const job = await get(since.jobId);
      if (job === undefined || differs(job, since) || leftMs === 0 || signal.aborted) return job;
      await rung;
    } finally {
      looked.abort();
    }
  }
}

/** Everything a reader of the job can see changes with one of these. */
const differs = (a: Job, b: Job): boolean =>
  a.status !== b.status ||
  a.progress !== b.progress ||
  a.pageCount !== b.pageCount ||
  a.attempt !== b.attempt ||
  a.updatedAt.getTime() !== b.updatedAt.getTime();
