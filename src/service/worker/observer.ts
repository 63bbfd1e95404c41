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
