// A worker in its own process, which tests pause and kill: node worker-process.ts '<options as JSON>'
import { openStore, runWorker, type StoreOptions } from "offprint/service";

const { store: storeOptions, ...options } = JSON.parse(process.argv[2]!) as WorkerProcessOptions;
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const store = await openStore(storeOptions);
await runWorker({
  ...options,
  store,
  exportPriority: "normal",
  signal: stop.signal,
  log: (level, message, facts) => console.log(JSON.stringify({ level, message, ...facts })),
});
await store.close();

export interface WorkerProcessOptions {
  readonly store: StoreOptions;
  readonly cacheFolder: string;
  readonly workFolder: string;
  readonly concurrency?: number;
  readonly graceMs?: number;
  readonly keepSpare?: boolean;
  readonly splitAbove?: number;
}
