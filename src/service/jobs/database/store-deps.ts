import type { JobRules } from "../queue/job.js";
import type { Database } from "./database.js";
import type { JobQueue } from "./job-queue.js";
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
