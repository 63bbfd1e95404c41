import type { JobRules } from "../job-store.js";
import type { SteadyClock, WallClock } from "./clock.js";
import type { Database } from "./database.js";
import type { JobQueue } from "./job-queue.js";
import type { Notifier } from "./notifier.js";

/** Dependencies of the stores. */
export interface StoreDeps {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly notifier: Notifier;
  readonly rules: JobRules;
  /** Whole milliseconds since 1970: the time of day, and the only clock whose times are stored. */
  readonly now: WallClock;
  /** For how long this process has seen something. */
  readonly steadyNow: SteadyClock;
}

/** Topic of new work. The topic of a job's changes is its id. */
export const workTopic = "work";
