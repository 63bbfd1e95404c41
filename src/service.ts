/** Offprint as a service: jobs in a store, an HTTP API over it, and workers. */
import "./lib/require-node.js";

export { type Api, type ApiDeps, type ApiOptions, createApi } from "./service/http/index.js";
export { openStore, type Store, type StoreOptions } from "./service/open-store.js";
export { runServiceWorker as runWorker, type ServiceWorkerOptions } from "./service/run-service-worker.js";
export type { ExportPriority, SandboxMode } from "./service/worker/worker-machine.js";
