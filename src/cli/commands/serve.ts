import { createHash } from "node:crypto";
import { once } from "node:events";
import { join, resolve } from "node:path";
import type { Manifest } from "../../bundle/archive/index.js";
import type { Log } from "../../lib/log.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { BundleRefused } from "../../serve/refusal.js";
import { type BundleServer, type ServeOptions, serveBundle } from "../../serve/serve-bundle.js";
import { type Input, stoppableCommand } from "../command.js";
import type { AnswerCounter } from "../count-answers.js";
import { type Environment, UsageError } from "../environment.js";
import { parseDomain, portNumber, wholeNumber } from "../options.js";
import { createLog } from "../print/terminal.js";
import { listenerOptions, warnOfUnnamedProxy } from "../settings/api.js";
import { cacheFolder } from "../settings/cache.js";
import type texts from "./texts/serve.json";

export const commands = { serve: stoppableCommand(parse, run) };

async function parse({ argument, values }: Input<typeof texts, "serve">) {
  const { count, "service-data": serviceData, "agent-ranges": agentRanges } = values;
  if (count === undefined && (serviceData ?? agentRanges) !== undefined)
    throw new UsageError("--service-data and --agent-ranges can only be used with --count <domain>.");
  if (values["mcp-origin"] !== undefined && !values.mcp)
    throw new UsageError("--mcp-origin can only be used with --mcp.");
  const seconds = wholeNumber("--check-interval", values["check-interval"], 1, 86_400);
  return {
    source: argument,
    port: portNumber("--port", values.port),
    host: values.host,
    basePath: values["base-path"],
    data: values.data,
    checkIntervalMs: seconds && seconds * 1000,
    accessLog: values["access-log"] ?? false,
    mcp: values.mcp ? { origins: originsOf(values["mcp-origin"] ?? []) } : undefined,
    /** Domain of the site of the service for which views are counted. */
    countFor: count === undefined ? undefined : await parseDomain(count),
    serviceData,
    agentRanges,
  };
}
type ServeArguments = Awaited<ReturnType<typeof parse>>;

/** Runs until a signal ends it; SIGHUP fetches the bundle again. */
async function run(args: ServeArguments, environment: Environment, { signal }: AbortController): Promise<number> {
  const { source, port, host, basePath, checkIntervalMs, data, mcp } = args;
  const log = createLog(environment.stderr, Date.now);
  const stopped = once(signal, "abort");
  let served: BundleServer | undefined;
  const onHangup = (): void => void served?.reload();
  environment.on("SIGHUP", onHangup);
  let counter: AnswerCounter | undefined;
  try {
    counter = await openCounter(args, environment, () => served?.manifest(), log);
    warnOfUnnamedProxy(environment.env, undefined, log);
    const { trustedProxies, limits } = listenerOptions(environment.env);
    served = await serveBundle({
      ...withoutUndefined({ port, host, basePath, checkIntervalMs, mcp }),
      source,
      dataFolder: bundleFolder(source, data, environment),
      onAnswer: observerOf(args, environment, counter),
      trustedProxies,
      connectionLimits: limits,
      log,
      signal,
    });
    await stopped;
    await served.close();
    return 0;
  } catch (error) {
    if (signal.aborted) return 0;
    if (error instanceof BundleRefused) throw new UsageError(error.message);
    throw error;
  } finally {
    await counter?.close();
    environment.off("SIGHUP", onHangup);
  }
}

/** Loaded lazily: counting needs the database of the service. */
async function openCounter(
  { countFor, serviceData, basePath = "", agentRanges }: ServeArguments,
  environment: Environment,
  manifest: () => Manifest | undefined,
  log: Log,
): Promise<AnswerCounter | undefined> {
  if (countFor === undefined) return undefined;
  const { openAnswerCounter } = await import("../count-answers.js");
  return openAnswerCounter({ domain: countFor, basePath, serviceData, agentRanges }, environment, manifest, log);
}

function observerOf(
  { accessLog }: ServeArguments,
  { stdout }: Environment,
  counter: AnswerCounter | undefined,
): ServeOptions["onAnswer"] {
  if (!accessLog) return counter?.count;
  const write = createLog(stdout, Date.now);
  return (answer) => {
    counter?.count(answer);
    const { method, path, status, ms } = answer;
    write("info", "answered", { method, path, status, ms });
  };
}

/** @throws {UsageError} unless each is an origin as browsers send it. */
function originsOf(written: readonly string[]): readonly string[] {
  const invalid = written.find((text) => !URL.canParse(text) || new URL(text).origin !== text.toLowerCase());
  if (invalid !== undefined)
    throw new UsageError(`--mcp-origin takes an origin such as https://app.example.com, not "${invalid}".`);
  return written.map((text) => text.toLowerCase());
}

/** The same source gets the same folder at every start, so that bundles are not fetched twice. */
export function bundleFolder(source: string, data: string | undefined, environment: Environment): string {
  const name = createHash("sha256").update(/^https?:/i.test(source) ? source : resolve(source));
  return resolve(data ?? join(cacheFolder(environment), "serve", name.digest("hex").slice(0, 16)));
}
