import { join, resolve } from "node:path";
import type { AnalyticsOptions, AssistantOptions } from "../../index.js";
import type { Log } from "../../lib/log.js";
import type { Collector } from "../../service/analytics/index.js";
import type { EmbeddingsOptions, ModelOptions } from "../../service/assistant/index.js";
import type { Api, Assistant, Listening } from "../../service/http/index.js";
import { openStore, type Store } from "../../service/open-store.js";
import { runMaintenance, runServiceWorker } from "../../service/run-service-worker.js";
import type { WorkerObserver } from "../../service/worker/run-leased.js";
import type { ExportPriority, SandboxMode } from "../../service/worker/worker-machine.js";
import { type Input, stoppableCommand } from "../command.js";
import { type Environment, programName, UsageError } from "../environment.js";
import { firstExportText, prepareFirstExport, type SiteToRegister } from "../first-export.js";
import { type ConsolePlace, firstOwnerText, openConsole } from "../open-console.js";
import { oneOf, parseDomain, plainUrl, portNumber, wholeNumber } from "../options.js";
import { createLog } from "../print/terminal.js";
import {
  apiOptions,
  jobLimits,
  listenerOptions,
  sharesCache,
  warnOfUnnamedProxy,
  webhookOptions,
} from "../settings/api.js";
import { agentSettings, embeddingsOptions, modelOptions, operatorForges } from "../settings/model.js";
import { storeSettings, writeAssistantKey } from "../settings/store.js";
import { read } from "../settings/variables.js";
import type texts from "./texts/service.json";

type Values = Input<typeof texts, "service">["values"] & Input<typeof texts, "worker">["values"];

/** Each runs until a signal ends it. */
export const commands = {
  service: stoppableCommand(parserOf("service"), run),
  api: stoppableCommand(parserOf("api"), run),
  worker: stoppableCommand(parserOf("worker"), run),
};

function parserOf(name: "service" | "api" | "worker") {
  return async ({ values }: { readonly values: Values }, env: NodeJS.ProcessEnv) => {
    const graceSeconds = wholeNumber("--grace", values.grace, 0, 24 * 60 * 60);
    const { site, export: exportSite = false } = values;
    if (exportSite && site === undefined) throw new UsageError("--export can only be used with --site.");
    return {
      command: name,
      data: values.data,
      port: portNumber("--port", values.port) ?? 7070,
      host: values.host ?? "127.0.0.1",
      publicUrl: plainUrl(
        "--public-url must be the URL at which clients reach the API, such as https://exports.example.com",
        values["public-url"] ?? (env["OFFPRINT_PUBLIC_URL"]?.trim() || undefined),
      ),
      console: parseConsole(values.console),
      consoleLogin: oneOf("--console-login", values["console-login"] ?? "any", ["any", "oidc"]),
      /** Where a worker answers probes. */
      health: parseHealth(values),
      site: site === undefined ? undefined : await parseSite(site),
      exportSite,
      concurrency: wholeNumber("--concurrency", values.concurrency, 1, 64),
      graceMs: graceSeconds && graceSeconds * 1000,
      sandbox: oneOf<SandboxMode>("--sandbox", values.sandbox, ["auto", "required", "off"]),
      exportPriority: oneOf<ExportPriority>("--export-priority", values["export-priority"], ["idle", "normal"]),
    };
  };
}
type ServiceArguments = Awaited<ReturnType<ReturnType<typeof parserOf>>>;

async function run(args: ServiceArguments, environment: Environment, controller: AbortController): Promise<number> {
  const { command, concurrency, graceMs, sandbox, exportPriority } = args;
  const settings = storeSettings(args.data, environment);
  const options = apiOptions(environment.env);
  const rules = jobLimits(environment.env);
  const model = command === "worker" ? undefined : modelOptions(environment.env);
  const embeddings = command === "worker" ? undefined : embeddingsOptions(environment.env);
  const forges = operatorForges(environment.env);
  const agent = agentSettings(environment.env, forges);
  const pages = exportedPagesSettings(environment.env);
  const log = createLog(environment.stderr, Date.now);
  const { signal } = controller;
  let store: Store | undefined;
  let assistant: Assistant | undefined;
  let collector: Collector | undefined;
  const running: Promise<void>[] = [];
  try {
    // The port comes first: links to bundles contain it, and with --port 0 it is known only now.
    const served = command === "worker" ? undefined : await openPort(args, environment.env, log, signal);
    const publicUrl = args.publicUrl ?? served?.url ?? "http://localhost";
    store = await openStore({ ...settings, forges, publicUrl, rules, waitForDatabase: { log, signal } });
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
            cacheFolder: join(settings.dataFolder, "cache"),
            workFolder: join(settings.dataFolder, "work"),
            ...{ concurrency, graceMs, sandbox, exportPriority, agent },
            ...pages,
            shareCache: sharesCache(environment.env),
            observer: observed.observer,
          }),
    );
    let ownerText = "";
    if (served) {
      const { createApi } = await import("../../service/http/index.js");
      const { openCollector } = await import("../../service/analytics/index.js");
      assistant = await openAssistant(store, { model, embeddings }, log);
      const console = await openConsole({ args, store, settings, publicUrl, options, agent, environment, log });
      if (console.listening) running.push(closeOnAbort(console.listening, signal));
      collector = await openCollector({ store, log });
      const serveObject = store.objects.serveObject?.bind(store.objects);
      served.begin(
        createApi({
          ...{ store, assistant, agent, collector, serveObject, log },
          console: console.below,
          options: { ...options, publicUrl },
          moreMetrics: observed.moreMetrics,
        }),
      );
      running.push(served.ended);
      ownerText = await firstOwnerText(store, console.url, args.data && settings.dataFolder, environment);
    }
    if (first)
      environment.stdout.write(
        firstExportText(publicUrl, args.data && settings.dataFolder, first, programName(environment)),
      );
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
  }
}

/** Listens at once; `begin` sets the API that answers the requests. */
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

/** Answers from the newest exports: with the model, or else by quoting them. */
async function openAssistant(
  store: Store,
  { model, embeddings }: { readonly model?: ModelOptions; readonly embeddings?: EmbeddingsOptions },
  log: Log,
): Promise<Assistant> {
  const { createAnswerer, createExtractiveAnswerer, createSiteIndexes } = await import(
    "../../service/assistant/index.js"
  );
  return {
    indexes: createSiteIndexes({ store, log, now: Date.now, ...(embeddings && { embeddings }) }),
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
  const { createJobMetrics } = await import("../../service/serve-worker.js");
  const { register, observer } = createJobMetrics();
  return { observer, moreMetrics: () => register.metrics() };
}

/** Waits for all; if one fails, stops the others. */
async function allOrNone(running: readonly Promise<void>[], controller: AbortController): Promise<void> {
  const ended = running.map((task) =>
    task.catch((error: unknown) => {
      controller.abort();
      throw error;
    }),
  );
  for (const outcome of await Promise.allSettled(ended)) if (outcome.status === "rejected") throw outcome.reason;
}

/** @throws {UsageError} if it is neither `off`, `same` nor an address and a port. */
function parseConsole(written = "same"): ConsolePlace {
  if (written === "off" || written === "same") return written;
  const [, host, port] = /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(written) ?? [];
  if (host === undefined || Number(port) > 65_535)
    throw new UsageError(
      `--console takes same, off, or an address and a port such as 127.0.0.1:7071, not "${written}".`,
    );
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

function parseHealth(values: Values): { readonly port: number; readonly host: string } | undefined {
  const port = portNumber("--health-port", values["health-port"]);
  const host = values["health-host"];
  if (port === undefined && host !== undefined)
    throw new UsageError("--health-host can only be used with --health-port.");
  return port === undefined ? undefined : { port, host: host ?? "127.0.0.1" };
}

/** A site to register before the service starts. */
async function parseSite(written: string): Promise<SiteToRegister> {
  const at = written.indexOf("=");
  if (at < 1 || at === written.length - 1)
    throw new UsageError(`--site takes a domain and its folder, such as docs.example.com=./docs, not "${written}".`);
  return { domain: await parseDomain(written.slice(0, at)), folder: resolve(written.slice(at + 1)) };
}

/** Services that the pages of each export use. */
interface ExportedPagesSettings {
  readonly assistant: Pick<AssistantOptions, "url" | "key"> | undefined;
  readonly analytics: Pick<AnalyticsOptions, "url" | "searches"> | undefined;
}

/** @throws {UsageError} if a variable is invalid. */
export const exportedPagesSettings = (env: NodeJS.ProcessEnv): ExportedPagesSettings => ({
  assistant: assistantSettings(env),
  analytics: analyticsSettings(env),
});

function assistantSettings(env: NodeJS.ProcessEnv): ExportedPagesSettings["assistant"] {
  const url = address(env, "OFFPRINT_PAGE_ASSISTANT_URL");
  const key = read(env, "OFFPRINT_PAGE_ASSISTANT_KEY");
  if (url === undefined && key === undefined) return undefined;
  if (url === undefined || !key?.startsWith("svc_dsc_"))
    throw new UsageError(
      "Set OFFPRINT_PAGE_ASSISTANT_URL and OFFPRINT_PAGE_ASSISTANT_KEY together; the key starts with svc_dsc_.",
    );
  return { url, key };
}

function analyticsSettings(env: NodeJS.ProcessEnv): ExportedPagesSettings["analytics"] {
  const url = address(env, "OFFPRINT_PAGE_ANALYTICS_URL");
  return url === undefined ? undefined : { url, searches: read(env, "OFFPRINT_PAGE_ANALYTICS_SEARCHES") === "1" };
}

const address = (env: NodeJS.ProcessEnv, name: string): string | undefined =>
  plainUrl(`${name} must be a URL such as https://docs-api.example.com`, read(env, name));
