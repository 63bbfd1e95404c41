import type { JobRules } from "../job-store.js";
import type { Bell } from "./bell.js";
import type { Database } from "./database.js";
import type { JobQueue } from "./job-queue.js";

/** What a store is made of. */
export interface Parts {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly bell: Bell;
  readonly rules: JobRules;
  /** Milliseconds since 1970, whole. */
  readonly now: () => number;
}

/** The topic of a job is its id; this one is for those who look for a job to do. */
export const workTopic = "work";
