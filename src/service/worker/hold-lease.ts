import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../lib/log.js";
import type { JobStore, Lease } from "../jobs/index.js";
import { JobStop } from "./job-stop.js";
import type { ExportStep } from "./messages.js";

export type HeldLease = ReturnType<typeof holdLease>;

/** So that a cancelled export stops within two seconds, and an agent, which may use a costly model, within one. */
const heartbeatMs = { export: 1000, agent: 400 };
/** Interval while there is new progress. */
const stepMs = 500;

/** A lease that the worker's process renews, even while the export's process is busy. */
export function holdLease(lease: Lease, jobs: JobStore, log: Log) {
  const stop = new AbortController();
  const timers = new AbortController();
  let step: ExportStep = { progress: lease.job.progress, pageCount: lease.job.pageCount };
  let sent = step;
  let sentAt = performance.now();
  const longestMs = lease.job.agentJobId === undefined ? heartbeatMs.export : heartbeatMs.agent;

  const sendHeartbeats = async (): Promise<void> => {
    while (!timers.signal.aborted) {
      await sleep(stepMs, undefined, { signal: timers.signal }).catch(() => {});
      if (timers.signal.aborted) return;
      if (step === sent && performance.now() - sentAt < longestMs) continue;
      const sending = step;
      try {
        if (!(await jobs.heartbeat(lease, sending))) return stop.abort(new JobStop("lost"));
      } catch (error) {
        // The lease survives a few failed heartbeats. If it does not, completing the job fails.
        log("warn", "heartbeat failed", { jobId: lease.job.jobId, error: String(error) });
      }
      sent = sending;
      sentAt = performance.now();
    }
  };
  const running = sendHeartbeats();
  return {
    /** Aborts with a `JobStop` when the work must stop. */
    signal: stop.signal,
    /** Progress to send with the next heartbeat. */
    update(next: ExportStep) {
      step = next;
    },
    stop: (reason: JobStop) => stop.abort(reason),
    /** Stops the heartbeats; resolves after the last one. */
    async close() {
      timers.abort();
      await running;
    },
  };
}
