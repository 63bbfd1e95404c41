import type { JobRules } from "../queue/job.js";
import type { Database, Row, Sql, Transaction } from "./database.js";
import type { Notifier } from "./notifier.js";

export interface StoreDeps {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly notifier: Notifier;
  readonly rules: JobRules;
  readonly now: WallClock;
  readonly steadyNow: SteadyClock;
}

/** Topic of new work. The topic of a job's changes is its id. */
export const workTopic = "work";

/**
 * Whole milliseconds since 1970, for everything that people see or that expires at a date. It steps when somebody sets
 * the clock and after a machine has slept. These times are stored, and all processes compare them. A stored time that
 * is further ahead than any timeout is from before the clock was set back.
 */
export interface WallClock {
  (): number;
  /** Never set: it keeps the compiler from mixing up the two clocks. */
  readonly kind?: "wall";
}

/**
 * Milliseconds since a moment that differs by process; it never steps. It measures how long this process has waited for
 * a heartbeat or for work, so it is never stored.
 */
export interface SteadyClock {
  (): number;
  readonly kind?: "steady";
}

export const steadyClock: SteadyClock = () => performance.now();

export const wholeMs =
  (now: () => number): WallClock =>
  () =>
    Math.floor(now());

/**
 * Leases jobs to workers, and decides when a failed job is tried again. The outcome is recorded in the row of `jobs`.
 * A call is part of the caller's transaction, and precedes changes to the job's row where it can, so that two processes
 * seldom deadlock.
 */
export interface JobQueue {
  add(transaction: Transaction, job: QueuedJob, organizationId: string): Promise<void>;
  /** Leases a job that is due. False if another worker has it, or if it was cancelled. */
  lease(transaction: Transaction, job: QueuedJob): Promise<boolean>;
  /** Extends the lease, which cannot expire before the transaction ends. False if it has expired. */
  renew(transaction: Transaction, jobId: string): Promise<boolean>;
  /** Ends a leased attempt; the job is due again after the back-off. False if that was the last attempt. */
  retry(transaction: Transaction, jobId: string, error: string): Promise<boolean>;
  /** Ends an attempt, or records the end of its expired lease, without counting it; the job is due after `delayMs`. */
  requeue(transaction: Transaction, jobId: string, delayMs: number): Promise<void>;
  /** No worker gets the job from now on. */
  end(transaction: Transaction, jobId: string, isCompleted: boolean): Promise<void>;
  expireLeases(): Promise<void>;
  /** For a row of `jobs`: 1 if a worker has the job, 0 if one may get it, null if the queue has lost it. */
  readonly isLeased: Sql;
  /** Whether `lease` succeeds for the job in a row of `jobs`. */
  isDue(now: number): Sql;
}

export interface QueuedJob {
  readonly jobId: string;
  /** Of its row; unique. */
  readonly position: number;
}

/**
 * Finds expired leases: this process has seen the same heartbeat for `leaseMs`. It compares no clocks, so a step of a
 * clock neither expires a lease nor extends one.
 *
 * @returns a function to call at intervals with all leases, as rows with the columns `lease` and `heartbeat`.
 *   `heartbeat` changes with each heartbeat. `lease` is unique, or else a new lease begins with another `heartbeat`.
 */
export function createLeaseWatch(leaseMs: number, steadyNow: SteadyClock): (leases: readonly Row[]) => readonly Row[] {
  let seen = new Map<Row[string], { readonly heartbeat: Row[string]; readonly since: number }>();
  return (leases) => {
    const before = seen;
    seen = new Map();
    return leases.filter((row) => {
      const [lease, heartbeat] = [row["lease"]!, row["heartbeat"]!];
      const last = before.get(lease);
      const since = last?.heartbeat === heartbeat ? last.since : steadyNow();
      seen.set(lease, { heartbeat, since });
      return steadyNow() - since >= leaseMs;
    });
  };
}
