import { type MaintenanceOptions, runMaintenance } from "./maintenance.js";
import type { Store } from "./open-store.js";
import { runWorker, type WorkerOptions } from "./worker/index.js";

export interface ServiceWorkerOptions extends WorkerOptions, MaintenanceOptions {
  readonly store: Store;
}

/**
 * Runs a worker and the maintenance of the store.
 *
 * Stops: once `signal` aborts, takes no more jobs; running ones get `graceMs`.
 */
export async function runServiceWorker(options: ServiceWorkerOptions): Promise<void> {
  const maintenance = runMaintenance(options);
  await runWorker(options);
  await maintenance;
}
