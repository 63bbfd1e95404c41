/**
 * In:  jobs that someone asked for.
 * Out: their bundles in the object store, each exported in a child process under a lease.
 */

export type { WorkerObserver } from "./run-leased.js";
export { runWorker, type WorkerOptions } from "./run-worker.js";
export type { ExportPriority, SandboxMode } from "./worker-machine.js";
