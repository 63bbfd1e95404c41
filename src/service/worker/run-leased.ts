import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../lib/log.js";
import type { JobReport, JobStore, Lease, LogLine } from "../jobs/index.js";
import { diagnosticsKey, type ObjectStore } from "../store/index.js";
import { countOf, type Findings, findingsLines } from "./findings.js";
import { failureOf } from "./job-failure.js";
import type { ExportStep } from "./messages.js";

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

export type HeldLease = ReturnType<typeof holdLease>;

/** So that a cancelled export stops within two seconds, and an agent, which may use a costly model, within one. */
const heartbeatMs = { export: 1000, agent: 400 };

/** Interval while there is new progress. */
const stepMs = 500;

/** A lease that the worker's process renews, even while the export's process is busy. */
function holdLease(lease: Lease, jobs: JobStore, log: Log) {
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

const messages = {
  /** Cancelled, past its deadline, or leased by another worker. */
  lost: "The lease of the job is lost.",
  shutdown: "The worker shut down during the export.",
} as const;

/** Why a worker stops a job early. */
export class JobStop extends Error {
  override readonly name = "JobStop";
  constructor(readonly why: keyof typeof messages) {
    super(messages[why]);
  }
}

export type JobRecord = ReturnType<typeof keepRecord>;

/** Records for the job's clients what happens to it. A failure to do so is logged and does not fail the job. */
export function keepRecord(
  { job: { jobId }, fence }: Lease,
  { jobs, objects }: { readonly jobs: JobStore; readonly objects: ObjectStore },
  log: Log,
) {
  return {
    /** @param message without secrets and paths of this machine. */
    async add(level: LogLine["level"], message: string): Promise<void> {
      await jobs
        .addLog(jobId, level, message)
        .catch((error: unknown) => log("warn", "a line of a job's log was lost", { jobId, error: String(error) }));
    },
    /** Stores the diagnostics. */
    async report(findings: Findings): Promise<JobReport> {
      const counts = { errors: countOf(findings.errors) ?? 0, warnings: countOf(findings.warnings) ?? 0 };
      const lines = findingsLines(findings);
      if (lines.length === 0) return counts;
      const key = diagnosticsKey(jobId, fence);
      try {
        await objects.putBytes(key, lines, "application/jsonl");
        return { ...counts, diagnosticsKey: key };
      } catch (error) {
        log("warn", "the diagnostics of a job were lost", { jobId, error: String(error) });
        await this.add("warning", "The diagnostics could not be stored.");
        return counts;
      }
    },
  };
}

/** Retries for several seconds, long enough for a database to restart. */
export async function persist<T>(write: () => Promise<T>): Promise<T> {
  for (let waitMs = 250; ; waitMs *= 2) {
    try {
      return await write();
    } catch (error) {
      if (waitMs > 8000) throw error;
      await sleep(waitMs);
    }
  }
}

/** What a worker reports about itself, for metrics. */
export interface WorkerObserver {
  /** The database answered the worker's heartbeat. */
  heartbeat(): void;
  /** A job was taken for the first time. */
  jobTaken(waitedMs: number): void;
  /** An attempt ended. `stopped`: cancelled, or left to another worker. */
  attemptEnded(outcome: "completed" | "failed" | "retried" | "stopped", ms: number): void;
  /** An export rendered these pages. */
  pagesRendered(milliseconds: readonly number[]): void;
}
