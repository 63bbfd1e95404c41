/**
 * In:  tasks.
 * Out: their results. At most `size` tasks run at once, each in a worker thread, which is terminated if the task hangs.
 */
export { type CallMain, type Spend, serveTasks, type WaitForMain } from "./serve-tasks.js";
export { createThreadCount } from "./thread-count.js";
export { createWorkerPool, type TaskOutcome, type WorkerPool, type WorkerPoolOptions } from "./worker-pool.js";
