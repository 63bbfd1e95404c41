import type { Log } from "../../lib/log.js";
import type { JobStore, Lease } from "../jobs/index.js";
import type { ObjectStore } from "../store/index.js";
import { type HeldLease, holdLease } from "./hold-lease.js";
import { failureOf } from "./job-failure.js";
import { type JobRecord, keepRecord } from "./job-record.js";
import { JobStop } from "./job-stop.js";
import type { WorkerObserver } from "./observer.js";
import { persist } from "./persist.js";

export interface LeasedDeps {
  readonly store: { readonly jobs: JobStore; readonly objects: ObjectStore };
  readonly observer: Partial<WorkerObserver>;
  readonly log: Log;
  readonly now: () => number;
}

/** About the result, for the operator's log. */
export type JobFacts = Readonly<Record<string, number | string>>;

/**
 * Holds the lease of a job during the work, which completes it.
 *
 * Out:   the job is completed, failed or requeued.
 * Fails: never. What cannot be stored is logged, and the lease expires.
 * Stops: once `shutdown` aborts, requeues the job.
 */
export async function runLeased<Deps extends LeasedDeps>(
  lease: Lease,
  deps: Deps,
  shutdown: AbortSignal,
  work: (lease: Lease, held: HeldLease, record: JobRecord, deps: Deps) => Promise<JobFacts>,
): Promise<void> {
  const { job } = lease;
  const { log, now, observer } = deps;
  const started = performance.now();
  if (job.attempt === 1) observer.jobTaken?.(Math.max(0, now() - job.createdAt.getTime()));
  const held = holdLease(lease, deps.store.jobs, log);
  const onShutdown = (): void => held.stop(new JobStop("shutdown"));
  if (shutdown.aborted) onShutdown();
  shutdown.addEventListener("abort", onShutdown, { once: true });
  const facts = { jobId: job.jobId, domain: job.domain, attempt: job.attempt };
  const end = (outcome: Parameters<WorkerObserver["attemptEnded"]>[0]): void =>
    observer.attemptEnded?.(outcome, performance.now() - started);
  const record = keepRecord(lease, deps.store, log);
  try {
    await record.add("info", `Attempt ${job.attempt} started.`);
    const result = await work(lease, held, record, deps);
    end("completed");
    log("info", "job completed", { ...facts, ...result, ms: Math.round(performance.now() - started) });
  } catch (error) {
    await recordFailure(lease, error, record, deps).then(end, (error: unknown) =>
      log("error", "the end of an attempt could not be stored", { ...facts, error: String(error) }),
    );
  } finally {
    shutdown.removeEventListener("abort", onShutdown);
    await held.close();
  }
}

/** Stores how an attempt without a result ended, unless the lease is lost. */
async function recordFailure(lease: Lease, error: unknown, record: JobRecord, { store: { jobs }, log }: LeasedDeps) {
  const { jobId, domain, attempt } = lease.job;
  const facts = { jobId, domain, attempt };
  if (error instanceof JobStop) {
    log("info", "job stopped", { ...facts, why: error.message });
    await record.add("warning", `Attempt ${attempt} stopped. ${error.message}`);
    if (error.why === "shutdown") await persist(() => jobs.release(lease));
    return "stopped";
  }
  const failure = failureOf(error);
  // A fault of the site is its owner's business.
  const level = failure.fault === "site" ? "info" : failure.retry ? "warn" : "error";
  log(level, "job attempt failed", { ...facts, why: fullText(failure) });
  if (failure.retry) await record.add("warning", `Attempt ${attempt} failed. ${failure.message}`);
  const report = failure.findings && (await record.report(failure.findings));
  await persist(() => jobs.fail(lease, failure.message, failure.retry, report));
  return failure.retry ? "retried" : "failed";
}

function fullText(error: Error): string {
  const { cause } = error;
  const why = cause instanceof Error ? (cause.stack ?? cause.message) : cause;
  return why === undefined ? error.message : `${error.message} (${String(why)})`;
}
