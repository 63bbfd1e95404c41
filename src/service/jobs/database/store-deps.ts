import type { Database } from "./database.js";
import type { JobQueue, QueueDeps } from "./job-queue.js";
import type { Notifier } from "./notifier.js";

export interface StoreDeps extends QueueDeps {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly notifier: Notifier;
}

/** Topic of new work. The topic of a job's changes is its id. */
export const workTopic = "work";
