import { type Row, type Sql, sql, type Transaction } from "../database/database.js";
import { type StoreDeps, workTopic } from "../database/store-deps.js";
import { endJob } from "./end-job.js";
import type { Bundle, JobReport, JobRules, Lease } from "./job.js";
import { adviceOf, jobOf, workOf } from "./job-rows.js";

/** Rolls back the transaction of a worker that has lost its lease. */
class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** Runs a change of the lease's holder. @returns false if the lease is lost, or `change` resolves with false. */
export async function whileLeased(
  deps: StoreDeps,
  lease: Lease,
  change: (transaction: Transaction, row: Row) => Promise<unknown>,
): Promise<boolean> {
  const { jobId } = lease.job;
  try {
    return await deps.database.transaction(async (transaction) => {
      if (!(await deps.queue.renew(transaction, jobId))) throw new LeaseLostError();
      const [row] = await transaction.query`select * from jobs
        where job_id = ${jobId} and worker_id = ${lease.workerId} and attempt = ${lease.fence}`;
      // Another worker holds the lease that was renewed: roll back.
      if (!row) throw new LeaseLostError();
      return (await change(transaction, row)) !== false;
    });
  } catch (error) {
    if (error instanceof LeaseLostError) return false;
    throw error;
  }
}

/**
 * Makes the last change of a job and completes it. False if the lease is lost. A repeated call returns true again: the
 * worker may have missed the first answer.
 *
 * @param isSame whether a completed job has the same result.
 */
export async function completeLeased(
  deps: StoreDeps,
  lease: Lease,
  change: (transaction: Transaction) => Promise<void>,
  isSame: Sql = sql`true`,
): Promise<boolean> {
  if (await whileLeased(deps, lease, change)) return true;
  const completed = await deps.database.read`select 1 as one from jobs where job_id = ${lease.job.jobId}
    and status = 'completed' and attempt = ${lease.fence} and ${isSame}`;
  return completed.length > 0;
}

/** Calls of the holder of a lease. Each resolves with false, and changes nothing, if the lease is lost. */
export function createLeasedJobs(deps: StoreDeps) {
  const { queue, rules } = deps;
  return {
    /**
     * Renews the lease and stores the progress. Call it several times per `rules.leaseMs`. False also means that the job
     * was cancelled or has reached its deadline; stop the work.
     */
    heartbeat(lease: Lease, step: { readonly progress: number; readonly pageCount: number }): Promise<boolean> {
      const { jobId } = lease.job;
      return whileLeased(deps, lease, async (transaction, row) => {
        const now = deps.now();
        const worked = workedMs(row, now, rules);
        if (worked >= rules.deadlineMs) {
          const seconds = Math.round(rules.deadlineMs / 1000);
          const error = `The ${workOf(row)} exceeded the time limit of ${seconds} s.${adviceOf(row)}`;
          await endJob(deps, transaction, jobId, { error });
          return false;
        }
        const before = jobOf(row);
        const progress = Math.max(before.progress, Math.min(99, step.progress || 0));
        const pageCount = Math.max(before.pageCount, Math.floor(step.pageCount) || 0);
        // Do not wake waiters for a heartbeat without progress.
        const hasChanged = progress > before.progress || pageCount > before.pageCount;
        const updatedAt = before.updatedAt.getTime();
        await transaction.query`update jobs
          set progress = ${progress}, page_count = ${pageCount}, worked_ms = ${worked}, reported_at = ${now},
            updated_at = ${hasChanged ? Math.max(now, updatedAt) : updatedAt} where job_id = ${jobId}`;
        if (hasChanged) await transaction.notify(jobId);
      });
    },
    /** A repeated call with the same bundle returns true again. */
    complete(lease: Lease, bundle: Bundle, pageCount: number, report?: JobReport): Promise<boolean> {
      const { jobId } = lease.job;
      const change = async (transaction: Transaction): Promise<void> => {
        await recordReport(transaction, jobId, report);
        await endJob(deps, transaction, jobId, { bundle, pageCount });
      };
      return completeLeased(deps, lease, change, sql`object_key = ${bundle.objectKey}`);
    },
    /** @param retry whether another attempt follows after a back-off, if one is left. */
    fail(lease: Lease, error: string, retry: boolean, report?: JobReport): Promise<boolean> {
      const { jobId } = lease.job;
      return whileLeased(deps, lease, async (transaction, row) => {
        await recordReport(transaction, jobId, report);
        if (!retry) await endJob(deps, transaction, jobId, { error });
        else if (await queue.retry(transaction, jobId, error)) await markWaiting(deps, transaction, row);
        else await endJob(deps, transaction, jobId, { error: exhaustedError(rules, row, lease.fence, error) });
      });
    },
    /** For a worker that shuts down: requeues the job at once, without counting an attempt. */
    release: (lease: Lease): Promise<boolean> =>
      whileLeased(deps, lease, async (transaction, row) => {
        await queue.requeue(transaction, lease.job.jobId, 0);
        await markWaiting(deps, transaction, row);
      }),
  };
}

async function recordReport({ query }: Transaction, jobId: string, report: JobReport | undefined): Promise<void> {
  if (report)
    await query`update jobs
      set errors = ${report.errors}, warnings = ${report.warnings}, diagnostics_key = ${report.diagnosticsKey}
      where job_id = ${jobId}`;
}

/** @param fence includes attempts that were released. */
export const exhaustedError = ({ maxAttempts }: JobRules, row: Row, fence: number, error: string): string =>
  Math.min(maxAttempts, fence) === 1
    ? error
    : `The service gave up on the ${workOf(row)} after ${Math.min(maxAttempts, fence)} attempts. ${error}`;

async function markWaiting(deps: StoreDeps, transaction: Transaction, row: Row): Promise<void> {
  const now = deps.now();
  await transaction.query`update jobs
    set worker_id = null, waiting_since = ${now}, worked_ms = ${workedMs(row, now, deps.rules)}
    where job_id = ${row["job_id"]}`;
  await transaction.notify(workTopic);
}

/** Working time of a job in milliseconds: at most one lease between two heartbeats, in case a clock is wrong. */
function workedMs(row: Row, now: number, rules: JobRules): number {
  const sinceReportMs = now - (row["reported_at"] as number);
  return (row["worked_ms"] as number) + Math.max(0, Math.min(sinceReportMs, rules.leaseMs));
}
