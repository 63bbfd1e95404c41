import { Histogram, Registry } from "prom-client";
import type { WorkerObserver } from "./worker/run-leased.js";

/** The metrics of a worker, and the observer that updates them, which is an option of the worker. */
export function createJobMetrics() {
  const register = new Registry();
  const registers = [register];
  const waits = new Histogram({
    name: "offprint_job_queue_seconds",
    help: "Time from the request for a job until a worker takes it for the first time.",
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600],
    registers,
  });
  const attempts = new Histogram({
    name: "offprint_job_attempt_duration_seconds",
    help: "Time from taking a job to the end of the attempt; stopped: cancelled, or left to another worker.",
    labelNames: ["outcome"],
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600],
    registers,
  });
  const pages = new Histogram({
    name: "offprint_page_duration_seconds",
    help: "Time to render and write one page.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    registers,
  });
  const observer: Partial<WorkerObserver> = {
    jobTaken: (waitedMs) => waits.observe(waitedMs / 1000),
    attemptEnded: (outcome, ms) => attempts.observe({ outcome }, ms / 1000),
    pagesRendered(milliseconds) {
      for (const ms of milliseconds) pages.observe(ms / 1000);
    },
  };
  return { register, observer };
}
