import { join } from "node:path";
import type { Api } from "../service/api/index.js";
import { openStore, type Store } from "../service/open-store.js";
import { runServiceWorker } from "../service/run-service-worker.js";
import { runUpkeep } from "../service/upkeep.js";
import { apiOptions, webhookOptions } from "./api-settings.js";
import { firstExport, prepareFirstExport } from "./first-export.js";
import { createLog } from "./log-lines.js";
import type { Surroundings } from "./run.js";
import { parseServiceArguments, type ServiceArguments, type ServiceCommand } from "./service-arguments.js";
import type { CommandModule } from "./service-commands.js";
import { type StoreSettings, storeSettings } from "./store-settings.js";

/** `offprint service`, `offprint api`, `offprint worker`: until a signal ends them. */
export const serviceCommand = (command: ServiceCommand): CommandModule => ({
  run: (words, process) => runService(command, words, process),
});

async function runService(command: ServiceCommand, words: readonly string[], process: Surroundings): Promise<number> {
  const args = parseServiceArguments(command, words, process.env);
  const settings = storeSettings(args.data, process);
  const api = apiOptions(process.env);
  const log = createLog(process.stderr, Date.now);
  const stop = new AbortController();
  const onSignal = (): void => {
    // A second one ends the process as the system does.
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    stop.abort();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  const { signal } = stop;
  let store: Store | undefined;
  const parts: Promise<void>[] = [];
  try {
    // The port comes first: where it is any free one, the links of bundles hold it.
    const served = command === "worker" ? undefined : await openPort(args, signal);
    const publicUrl = args.publicUrl ?? served?.url ?? "http://localhost";
    store = await openStore({ ...settings, publicUrl });
    const first = command === "service" ? await prepareFirstExport(store, args.site) : undefined;
    const upkeep = { store, log, signal, ...webhookOptions(process.env) };
    parts.push(command === "api" ? runUpkeep(upkeep) : runServiceWorker({ ...upkeep, ...worker(settings, args) }));
    if (served) {
      const { createApi } = await import("../service/api/index.js");
      const serveObject = store.objects.serveObject?.bind(store.objects);
      served.begin(createApi({ store, serveObject, options: { ...api, publicUrl }, log }));
      parts.push(served.ended);
    }
    if (first) process.stdout.write(firstExport(publicUrl, args.data && settings.dataFolder, first));
    else if (served) log("info", "the API listens", { url: served.url });
    await allOrNone(parts, stop);
    return 0;
  } finally {
    stop.abort();
    await Promise.allSettled(parts);
    await store?.close();
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}

/** Listens at once; requests wait until `begin` says who answers them. */
async function openPort({ port, host }: ServiceArguments, signal: AbortSignal) {
  const { listen } = await import("../service/api/index.js");
  const api = Promise.withResolvers<Api>();
  const listening = await listen({
    api: { fetch: async (request, info) => (await api.promise).fetch(request, info) },
    port,
    host,
  });
  const ended = new Promise<void>((resolve, reject) => {
    const close = (): void => void listening.close().then(resolve, reject);
    if (signal.aborted) close();
    signal.addEventListener("abort", close, { once: true });
  });
  return { url: listening.url, begin: api.resolve, ended };
}

const worker = ({ dataFolder }: StoreSettings, { concurrency }: ServiceArguments) => ({
  cacheFolder: join(dataFolder, "cache"),
  workFolder: join(dataFolder, "work"),
  concurrency,
});

/** When one of them fails, the others are ended, too. */
async function allOrNone(parts: readonly Promise<void>[], stop: AbortController): Promise<void> {
  const ended = parts.map((part) =>
    part.catch((error: unknown) => {
      stop.abort();
      throw error;
    }),
  );
  for (const outcome of await Promise.allSettled(ended)) if (outcome.status === "rejected") throw outcome.reason;
}
