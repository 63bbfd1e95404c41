/**
 * In:  where the service keeps what it knows.
 * Out: one store for its API and its workers, and the upkeep that goes on whether or not anyone asks.
 */
export { createKey, TooManyKeysError } from "./create-key.js";
export { openStore, type Store, type StoreOptions } from "./open-store.js";
export { runServiceWorker, type ServiceWorkerOptions } from "./run-service-worker.js";
export { runUpkeep, type UpkeepOptions } from "./upkeep.js";
