import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../lib/log.js";
import type { JobStore, Lease } from "../jobs/index.js";
import { JobStop } from "./job-stop.js";
import type { ExportStep } from "./messages.js";

/** A lease that is kept alive from this process, whatever the one that exports is busy with. */
export interface HeldLease {
  /** Aborts with a `JobStop` when the work is to stop. */
  readonly signal: AbortSignal;
  /** How far the export is; told with the next heartbeat. */
  show(step: ExportStep): void;
  stop(reason: JobStop): void;
  /** Ends the heartbeats; resolves when the last one has been answered. */
  close(): Promise<void>;
}

/** Within a second, so that a cancelled job is stopped within two. */
const heartbeatMs = 1000;
/** Progress that is worth a word in between. */
const stepMs = 500;

export function holdLease(lease: Lease, jobs: JobStore, log: Log, now: () => number): HeldLease {
  const stop = new AbortController();
  const timers = new AbortController();
  let step: ExportStep = { progress: lease.job.progress, pageCount: lease.job.pageCount };
  let told = step;
  let toldAt = now();

  const beat = async (): Promise<void> => {
    while (!timers.signal.aborted) {
      await sleep(stepMs, undefined, { signal: timers.signal }).catch(() => {});
      if (timers.signal.aborted) return;
      // The clock of the wall may jump; a heartbeat too many harms nobody.
      if (step === told && Math.abs(now() - toldAt) < heartbeatMs) continue;
      const telling = step;
      try {
        if (!(await jobs.report(lease, telling))) return stop.abort(new JobStop("lost"));
      } catch (error) {
        // The lease outlives a few of them, and whether it has is seen when the job is completed.
        log("warn", "a heartbeat could not be told", { jobId: lease.job.jobId, error: String(error) });
      }
      told = telling;
      toldAt = now();
    }
  };
  const beating = beat();
  return {
    signal: stop.signal,
    show: (next) => {
      step = next;
    },
    stop: (reason) => stop.abort(reason),
    close: async () => {
      timers.abort();
      await beating;
    },
  };
}
