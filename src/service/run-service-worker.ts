import type { Store } from "./open-store.js";
import { runUpkeep, type UpkeepOptions } from "./upkeep.js";
import { runWorker, type WorkerOptions } from "./worker/index.js";

export interface ServiceWorkerOptions extends WorkerOptions, UpkeepOptions {
  readonly store: Store;
}

/**
 * A worker that does the upkeep of the store beside its jobs.
 *
 * Stops: once `signal` aborts, takes no more jobs; those that run get `graceMs`.
 */
export async function runServiceWorker(options: ServiceWorkerOptions): Promise<void> {
  const upkeep = runUpkeep(options);
  await runWorker(options);
  await upkeep;
}
