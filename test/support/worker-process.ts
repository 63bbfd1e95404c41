// A worker in its own process, which tests pause and kill: node worker-process.ts '<options as JSON>'

import { openStore, runWorker, type StoreOptions } from "offprint/service";
import type { AgentSettings } from "../../src/service/agent/index.js";

const { store: storeOptions, agent, ...options } = JSON.parse(process.argv[2]!) as WorkerProcessOptions;
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const store = await openStore(storeOptions);
await runWorker({
  ...options,
  ...(agent && { agent }),
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
  readonly agent?: AgentSettings;
}
