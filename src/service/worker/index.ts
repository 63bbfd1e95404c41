/**
 * In:  jobs that someone asked for.
 * Out: their bundles in the object store, each exported in a child process under a lease.
 */

export type { WorkerObserver } from "./observer.js";
export type { ExportPriority, SandboxMode } from "./open-sandbox.js";
export { runWorker, type WorkerOptions } from "./run-worker.js";
