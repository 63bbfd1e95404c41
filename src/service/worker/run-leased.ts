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

/** Facts about the result, for the operator's log. */
export type JobFacts = Readonly<Record<string, number | string>>;

/**
 * Keeps the lease of a job during the work, which completes the job.
 *
 * Out:   the job is completed, failed or requeued.
 * Fails: never. If its end cannot be stored, that is logged, and the lease expires.
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
  const startedAt = performance.now();
  if (job.attempt === 1) observer.jobTaken?.(Math.max(0, now() - job.createdAt.getTime()));
  const held = holdLease(lease, deps, shutdown);
  const facts = { jobId: job.jobId, domain: job.domain, attempt: job.attempt };
  const end = (outcome: Parameters<WorkerObserver["attemptEnded"]>[0]): void =>
    observer.attemptEnded?.(outcome, performance.now() - startedAt);
  const record = keepRecord(lease, deps.store, log);
  try {
    await record.add("info", `Attempt ${job.attempt} started.`);
    const result = await work(lease, held, record, deps);
    end("completed");
    log("info", "job completed", { ...facts, ...result, ms: Math.round(performance.now() - startedAt) });
  } catch (error) {
    const onUnsaved = logFailure(log, "failed to save the attempt's result", facts, undefined, "error");
    await recordFailure(lease, error, record, deps).then(end, onUnsaved);
  } finally {
    await held.close();
  }
}

/** Stores why an attempt failed, unless the lease is lost. */
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
  // Faults of a site are reported to its owner; the operator need not act.
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

/** A cancelled export stops within two seconds, and an agent, which may use a costly model, within one. */
const heartbeatMs = { export: 1000, agent: 400 };
/** Interval while there is new progress. */
const stepMs = 500;

/** Renews the lease of a job, with its progress. */
function holdLease(lease: Lease, { store: { jobs }, log }: LeasedDeps, shutdown: AbortSignal) {
  const { jobId, agentJobId, progress, pageCount } = lease.job;
  let step: ExportStep = { progress, pageCount };
  let sent = step;
  let sentAt = performance.now();
  const maxSilentMs = agentJobId === undefined ? heartbeatMs.export : heartbeatMs.agent;
  const renew = async (): Promise<boolean> => {
    if (step === sent && performance.now() - sentAt < maxSilentMs) return true;
    const sending = step;
    const isHeld = await jobs.heartbeat(lease, sending).catch(logFailure(log, "heartbeat failed", { jobId }, true));
    sent = sending;
    sentAt = performance.now();
    return isHeld;
  };
  return {
    ...keepRenewing(stepMs, renew, shutdown),
    /** Progress to send with the next heartbeat. */
    update(next: ExportStep): void {
      step = next;
    },
  };
}

/**
 * Renews a lease at intervals, even while the export's process is busy. A lease survives a few failed heartbeats; once
 * it has expired, the work cannot be completed.
 *
 * @param renew resolves with false if the lease is lost.
 */
export function keepRenewing(intervalMs: number, renew: () => Promise<boolean>, shutdown: AbortSignal) {
  const stop = new AbortController();
  const closed = new AbortController();
  const onShutdown = (): void => stop.abort(new JobStop("shutdown"));
  if (shutdown.aborted) onShutdown();
  shutdown.addEventListener("abort", onShutdown, { once: true });
  const renewUntilClosed = async (): Promise<void> => {
    for (;;) {
      await sleep(intervalMs, undefined, { signal: closed.signal }).catch(() => {});
      if (closed.signal.aborted) return;
      if (!(await renew())) return lose();
    }
  };
  const lose = (): void => stop.abort(new JobStop("lost"));
  const renewing = renewUntilClosed();
  return {
    /** Aborts with a `JobStop` when the work must stop. */
    signal: stop.signal,
    lose,
    /** Stops the heartbeats; resolves after the last one. */
    async close(): Promise<void> {
      shutdown.removeEventListener("abort", onShutdown);
      closed.abort();
      await renewing;
    },
  };
}

/** For `catch`: logs the error, and continues with `result`. */
export const logFailure =
  <Result = void>(log: Log, message: string, facts: JobFacts, result?: Result, level: "warn" | "error" = "warn") =>
  (error: unknown): Result => {
    log(level, message, { ...facts, error: String(error) });
    return result as Result;
  };

const stopMessages = {
  /** The job was cancelled, is past its deadline, or is leased by another worker. */
  lost: "The job's lease was lost.",
  shutdown: "The worker shut down during the export.",
} as const;

/** Why a worker stops a job early. */
export class JobStop extends Error {
  override readonly name = "JobStop";
  constructor(readonly why: keyof typeof stopMessages) {
    super(stopMessages[why]);
  }
}

export type JobRecord = ReturnType<typeof keepRecord>;

/** Records the job's events for its clients. A failure to do so is logged and does not fail the job. */
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
        .catch(logFailure(log, "failed to save a line of the job's log", { jobId }));
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
        log("warn", "failed to store the job's diagnostics", { jobId, error: String(error) });
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

/** Events of a worker, for metrics. */
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
