import { join } from "node:path";
import type { Log } from "../../lib/log.js";
import type { Collector } from "../../service/analytics/index.js";
import type { ModelOptions } from "../../service/assistant/index.js";
import type { Api, Assistant, Listening } from "../../service/http/index.js";
import { openStore, type Store } from "../../service/open-store.js";
import { runMaintenance, runServiceWorker } from "../../service/run-service-worker.js";
import type { WorkerObserver } from "../../service/worker/index.js";
import { writeAssistantKey } from "../assistant-key.js";
import type { Environment } from "../environment.js";
import { stopOnSignal } from "../environment.js";
import { firstExportText, prepareFirstExport } from "../first-export.js";
import { firstOwnerText, openConsole } from "../open-console.js";
import { createLog } from "../print/log.js";
import {
  apiOptions,
  jobLimits,
  listenerOptions,
  sharesCache,
  warnOfUnnamedProxy,
  webhookOptions,
} from "../settings/api.js";
import { pageAnalytics, pageAssistant } from "../settings/exported-pages.js";
import { agentSettings, modelOptions } from "../settings/model.js";
import { operatorSettings } from "../settings/operator.js";
import { type StoreSettings, storeSettings } from "../settings/store.js";
import type { ServiceArguments } from "./service-options.js";

/** `offprint service`, `offprint api`, `offprint worker`: run until a signal ends them. */
export async function run(args: ServiceArguments, environment: Environment): Promise<number> {
  const { command } = args;
  const settings = storeSettings(args.data, environment);
  const options = apiOptions(environment.env);
  const rules = jobLimits(environment.env);
  const model = command === "worker" ? undefined : modelOptions(environment.env);
  const operator = operatorSettings(environment.env);
  const agent = agentSettings(environment.env, operator.forges);
  const pages = pageAssistant(environment.env);
  const analytics = pageAnalytics(environment.env);
  const log = createLog(environment.stderr, Date.now);
  const { controller, release } = stopOnSignal(environment);
  const { signal } = controller;
  let store: Store | undefined;
  let assistant: Assistant | undefined;
  let collector: Collector | undefined;
  const running: Promise<void>[] = [];
  try {
    // The port comes first: links to bundles contain it, and with --port 0 it is known only now.
    const served = command === "worker" ? undefined : await openPort(args, environment.env, log, signal);
    const publicUrl = args.publicUrl ?? served?.url ?? "http://localhost";
    store = await openStore({ ...settings, operator, publicUrl, rules, waitForDatabase: { log, signal } });
    const first = command === "service" ? await prepareFirstExport(store, args) : undefined;
    if (first?.assistantKey !== undefined) writeAssistantKey(settings.dataFolder, first.assistantKey);
    for (const line of await store.credentials.unusedSettings()) log("warn", line);
    const maintenance = { store, log, signal, ...webhookOptions(environment.env) };
    const observed = await observeWorker(args, options.metricsToken, log, signal);
    if (observed.ended) running.push(observed.ended);
    running.push(
      command === "api"
        ? runMaintenance(maintenance)
        : runServiceWorker({
            ...maintenance,
            ...workerSettings(settings, args),
            shareCache: sharesCache(environment.env),
            assistant: pages,
            agent,
            analytics,
            observer: observed.observer,
          }),
    );
    let ownerText = "";
    if (served) {
      const { createApi } = await import("../../service/http/index.js");
      const { openCollector } = await import("../../service/analytics/index.js");
      assistant = await openAssistant(store, model, log);
      const console = await openConsole({ args, store, settings, publicUrl, options, agent, environment, log });
      if (console.listening) running.push(closeOnAbort(console.listening, signal));
      collector = await openCollector({ store, log });
      const serveObject = store.objects.serveObject?.bind(store.objects);
      served.begin(
        createApi({
          store,
          assistant,
          agent,
          collector,
          serveObject,
          console: console.below,
          options: { ...options, publicUrl },
          moreMetrics: observed.moreMetrics,
          log,
        }),
      );
      running.push(served.ended);
      ownerText = await firstOwnerText(store, console.url, environment);
    }
    if (first) environment.stdout.write(firstExportText(publicUrl, args.data && settings.dataFolder, first));
    else if (served) log("info", "the API listens", { url: served.url });
    environment.stdout.write(ownerText);
    await allOrNone(running, controller);
    return 0;
  } finally {
    controller.abort();
    await Promise.allSettled(running);
    await assistant?.indexes.close();
    await collector?.close();
    await store?.close();
    release();
  }
}

/** Listens at once; `begin` passes the API that answers the requests. */
async function openPort(
  { port, host, publicUrl }: ServiceArguments,
  env: NodeJS.ProcessEnv,
  log: Log,
  signal: AbortSignal,
) {
  const { listen, startingApi } = await import("../../service/http/index.js");
  warnOfUnnamedProxy(env, publicUrl, log);
  const api = Promise.withResolvers<Api>();
  const listening = await listen({ api: startingApi(api.promise), port, host, ...listenerOptions(env), log });
  return { url: listening.url, begin: api.resolve, ended: closeOnAbort(listening, signal) };
}

/** Answers from the newest exports, with a model or in their own words. */
async function openAssistant(store: Store, model: ModelOptions | undefined, log: Log): Promise<Assistant> {
  const { createAnswerer, createExtractiveAnswerer, createSiteIndexes } = await import(
    "../../service/assistant/index.js"
  );
  return {
    indexes: createSiteIndexes({ store, log, now: Date.now }),
    answerer: createAnswerer(model, createExtractiveAnswerer()),
  };
}

const closeOnAbort = (listening: Listening, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const close = (): void => void listening.close().then(resolve, reject);
    if (signal.aborted) close();
    signal.addEventListener("abort", close, { once: true });
  });

interface ObservedWorker {
  readonly observer?: Partial<WorkerObserver>;
  /** For the API in the same process. */
  readonly moreMetrics?: () => Promise<string>;
  /** Resolves when the worker's own port is closed. */
  readonly ended?: Promise<void>;
}

/** Where the metrics of the worker go: to the API in this process, or to a port of the worker's own. */
async function observeWorker(
  { command, health }: ServiceArguments,
  metricsToken: string | undefined,
  log: Log,
  signal: AbortSignal,
): Promise<ObservedWorker> {
  if (health) {
    const { serveWorker } = await import("../../service/serve-worker.js");
    const listening = await serveWorker({ ...health, metricsToken });
    log("info", "the worker answers probes", { url: listening.url });
    return { observer: listening.observer, ended: closeOnAbort(listening, signal) };
  }
  if (command !== "service" || metricsToken === undefined) return {};
  const { createJobMetrics } = await import("../../service/job-metrics.js");
  const { register, observer } = createJobMetrics();
  return { observer, moreMetrics: () => register.metrics() };
}

const workerSettings = ({ dataFolder }: StoreSettings, args: ServiceArguments) => ({
  cacheFolder: join(dataFolder, "cache"),
  workFolder: join(dataFolder, "work"),
  concurrency: args.concurrency,
  graceMs: args.graceMs,
  sandbox: args.sandbox,
  exportPriority: args.exportPriority,
});

/** Waits for all; if one fails, the others are stopped. */
async function allOrNone(running: readonly Promise<void>[], controller: AbortController): Promise<void> {
  const ended = running.map((each) =>
    each.catch((error: unknown) => {
      controller.abort();
      throw error;
    }),
  );
  for (const outcome of await Promise.allSettled(ended)) if (outcome.status === "rejected") throw outcome.reason;
}
