/**
 * Queue: takes tasks, gives their results; at most `size` run at once, each in a worker thread that can be ended.
 * Knows nothing of pages.
 */
export { type CallMain, serveTasks } from "./serve-tasks.js";
export { createThreadCount } from "./thread-count.js";
export { createWorkerPool, type TaskOutcome, type WorkerPool, type WorkerPoolOptions } from "./worker-pool.js";
