import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeFolders } from "../../bundle/archive/index.js";
import { runExport } from "../../export/index.js";
import {
  type AnalyticsOptions,
  type AssistantOptions,
  type ExportResult,
  InvalidOption,
  OutputNotOursError,
  type QuestionModel,
  type Shard,
} from "../../index.js";
import { watchSite } from "../../preview/watch-site.js";
import { command, type Input } from "../command.js";
import { type Environment, UsageError } from "../environment.js";
import { deploymentOf, groupsOf, oneOf, plainUrl, wholeNumber } from "../options.js";
import { printDiagnostics } from "../print/diagnostics.js";
import { printFailure } from "../print/failure.js";
import { createProgressDisplay } from "../print/progress.js";
import { printShard, printSummary } from "../print/summary.js";
import { printableLine } from "../print/terminal.js";
import { openCache } from "../settings/cache.js";
import { modelOptions } from "../settings/model.js";
import { openSiteSource, type SiteSource } from "../site-source.js";
import type texts from "./texts/export.json";

export const commands = {
  export: command((input: Input<typeof texts, "export">, env) => parse("export", input, env), run),
  check: command((input: Input<typeof texts, "check">, env) => parse("check", input, env), run),
};

type Values = Input<typeof texts, "export">["values"] & Input<typeof texts, "check">["values"];

function parse(
  name: "export" | "check",
  { argument, values }: { readonly argument: string; readonly values: Values },
  env: NodeJS.ProcessEnv,
) {
  if (values.quiet && values.json) throw new UsageError("Choose one of --quiet and --json.");
  const format = oneOf("--format", values.format ?? "text", ["text", "json", "github", "sarif"]);
  if (values.json && format !== "text" && format !== "json") throw new UsageError("Choose one of --json and --format.");
  if (values.watch && (values.report !== undefined || format === "github" || format === "sarif"))
    throw new UsageError("--watch prints text or JSON lines: leave --report and --format out.");
  if (values["embed-remote"] && values["no-embed-remote"])
    throw new UsageError("Choose one of --embed-remote and --no-embed-remote.");
  if (values.cache !== undefined && values["no-cache"]) throw new UsageError("Choose one of --cache and --no-cache.");
  const shard = parseShard(values);
  const needsFolder = name === "export" && shard === undefined && values.archive === undefined;
  const display = values.quiet ? "quiet" : values.json || format === "json" ? "json" : "live";
  return {
    command: name,
    site: argument,
    output: values.output ?? (needsFolder ? "offprint-out" : undefined),
    archive: parseArchive(values.archive),
    deployment: deploymentOf(values.deployment),
    baseUrl: plainUrl("--base-url must be the site's URL, such as https://docs.example.com/guide", values["base-url"]),
    paths: values.paths?.split(",").filter((path) => path.trim() !== ""),
    audience: groupsOf("--audience", values.audience),
    embedRemote: values["embed-remote"] ? true : values["no-embed-remote"] ? false : undefined,
    print: values.print ?? false,
    assistant: parseAssistant(values),
    mcpUrl: parseMcpUrl(values["mcp-url"]),
    analytics: parseAnalytics(values),
    questions: parseQuestions(values.questions, env),
    ...(shard && { shard }),
    strict: values.strict ?? false,
    verify: values.verify ?? false,
    concurrency: parseConcurrency(values.concurrency, env),
    /** Folder or `s3://bucket/prefix`; false for no cache. Default: the user's cache. */
    cache: values["no-cache"] ? (false as const) : values.cache,
    report: values.report,
    watch: values.watch ?? false,
    display,
    format: format === "json" ? "text" : format,
    all: values.all ?? false,
    verbose: values.verbose ?? false,
    maxWarnings: wholeNumber("--max-warnings", values["max-warnings"], 0, 1_000_000_000),
  } as const;
}
type ExportArguments = ReturnType<typeof parse>;

async function run(args: ExportArguments, environment: Environment): Promise<number> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new Error("Interrupted."));
  environment.on("SIGINT", interrupt);
  environment.on("SIGTERM", interrupt);
  let source: SiteSource | undefined;
  try {
    // Each check opens the site again, since docs.json may have been added or removed.
    const runOnce = async () => {
      source?.close();
      source = await openSiteSource(args.site);
      if (args.display === "live") environment.stderr.write(source.hint);
      return exportOnce(args, source, interruption.signal, environment);
    };
    return args.watch ? await keepChecking(args, runOnce, interruption.signal, environment) : await runOnce();
  } catch (error) {
    if (error instanceof InvalidOption) throw new UsageError(asTyped(error.message));
    if (error instanceof OutputNotOursError) throw new UsageError(error.message);
    if (!interruption.signal.aborted) throw error;
    if (args.watch) return 0;
    printFailure("interrupted. The previous output is unchanged.", 130, args.display === "json", environment);
    return 130;
  } finally {
    source?.close();
    environment.off("SIGINT", interrupt);
    environment.off("SIGTERM", interrupt);
  }
}

/** One export or check, with its report. Returns the exit code. */
async function exportOnce(
  args: ExportArguments,
  source: SiteSource,
  signal: AbortSignal,
  environment: Environment,
): Promise<number> {
  const started = performance.now();
  const { command, output, archive } = args;
  const display = createProgressDisplay(args.display, environment);
  try {
    const { deployment, baseUrl, paths, audience, embedRemote, strict, concurrency } = args;
    const options = {
      source: source.folder,
      ...{ deployment, baseUrl, paths, audience, embedRemote, strict, concurrency },
      // A conversion has a new temporary folder each time, so a cache would not help.
      ...(await openCache(source.conversion ? { ...args, cache: false } : args, environment)),
      onProgress: display.show,
      signal,
    };
    const { print, assistant, mcpUrl, analytics, questions, verify, shard } = args;
    if (shard) {
      const { exportShard } = await import("../../export/run/run-shard.js");
      await tune();
      const result = await exportShard({ ...options, print, assistant, mcpUrl, analytics, shard });
      display.close();
      await printShard(result, { ...args, shard }, performance.now() - started, environment);
      return result.ok ? 0 : 1;
    }
    // Resolved, so that a folder called "memory" is a path.
    const outputFolder = output === undefined ? undefined : resolve(output);
    const targets = { output: outputFolder, archive, print, assistant, mcpUrl, analytics, questions, verify };
    const exported = await runExport(command === "check" ? options : { ...options, ...targets }, undefined, tune);
    display.close();
    // Not always copied: a copy would read the lazy lists of an unchanged export.
    const result = source.conversion ? { ...exported, diagnostics: source.atOrigin(exported.diagnostics) } : exported;
    const elapsedMs = performance.now() - started;
    const failed = hasFailed(result, args);
    await printDiagnostics({ ok: !failed, diagnostics: result.diagnostics }, args, environment);
    await printSummary(result, args, elapsedMs, environment);
    if (command === "export" && result.ok && !source.conversion && !writeLock(result, args, environment)) return 3;
    if (args.report !== undefined && !writeReport(args.report, result, args, environment)) return 3;
    return failed ? 1 : 0;
  } catch (error) {
    display.close();
    throw error;
  }
}

/** Checks after each change, until a signal ends it. */
async function keepChecking(
  { site, display }: ExportArguments,
  runOnce: () => Promise<number>,
  signal: AbortSignal,
  { stderr }: Environment,
): Promise<number> {
  let next = Promise.withResolvers<string>();
  signal.addEventListener("abort", () => next.resolve(""));
  const tell = (line: string): void => void (display === "live" && stderr.write(`\n${line}\n\n`));
  const stopWatching = watchSite(site, {
    onChange: (paths) => next.resolve([...(paths ?? [])][0] ?? "the folder"),
    onPolling: (reason) =>
      tell(`The folder cannot be watched (${reason}), so its files are compared every second instead.`),
  });
  try {
    for (;;) {
      next = Promise.withResolvers<string>();
      await runOnce();
      tell("Waiting for changes. Press Ctrl+C to stop.");
      const changed = await next.promise;
      if (signal.aborted) return 0;
      tell(`${printableLine(changed)} changed.`);
    }
  } finally {
    stopWatching();
  }
}

const tune = async () => (await import("../../export/tune-process.js")).tuneProcess();

/** A check fails if the site has an error or too many warnings; an export fails if it wrote nothing. */
function hasFailed(
  { ok, diagnostics }: ExportResult,
  { command, deployment, maxWarnings = Number.POSITIVE_INFINITY }: ExportArguments,
) {
  const breaksPolicy = deployment === "air-gapped" && diagnostics.some(({ code }) => code.startsWith("OUTSIDE_"));
  if (command === "export") return !ok || breaksPolicy;
  const warnings = diagnostics.filter(({ severity }) => severity === "warning").length;
  return !ok || diagnostics.some(({ severity }) => severity === "error") || warnings > maxWarnings;
}

/** Writes `offprint.lock.json` into the site if it changes. Prints the reason and returns false if that fails. */
function writeLock({ remoteLock }: ExportResult, args: ExportArguments, environment: Environment): boolean {
  const path = join(args.site, "offprint.lock.json");
  try {
    if (remoteLock === undefined || (existsSync(path) && readFileSync(path, "utf8") === remoteLock)) return true;
    writeFileSync(path, remoteLock);
    return true;
  } catch (error) {
    const message = `offprint.lock.json was not written; the export is complete: ${(error as Error).message}`;
    printFailure(message, 3, args.display === "json", environment);
    return false;
  }
}

/** Prints the reason and returns false if the report cannot be written. The export is complete by then. */
function writeReport(path: string, result: ExportResult, args: ExportArguments, environment: Environment): boolean {
  try {
    makeFolders(dirname(resolve(path)));
    writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`);
    return true;
  } catch (error) {
    const outcome = result.ok ? "the export is complete" : "nothing was exported";
    const message = `the report was not written; ${outcome}: ${(error as Error).message}`;
    printFailure(message, 3, args.display === "json", environment);
    return false;
  }
}

function parseShard(values: Values): Shard | undefined {
  if (values.shard === undefined) return undefined;
  const [, index, count] = (/^(\d{1,5})\/(\d{1,5})$/.exec(values.shard) ?? []).map(Number);
  if (!index || !count || index > count)
    throw new UsageError(
      `--shard takes the number of the part and the number of parts, such as 2/8, not "${values.shard}".`,
    );
  for (const other of ["output", "archive", "report", "questions", "strict"] as const)
    if (values[other] !== undefined)
      throw new UsageError(`A shard does not write a bundle: choose one of --shard and --${other}.`);
  if (values["no-cache"])
    throw new UsageError("A shard stores its pages in the cache: choose one of --shard and --no-cache.");
  return { index, count };
}

/** Unlike the URLs of other services, it may have a query, with a key. @throws {UsageError} if it is not a URL. */
function parseMcpUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const [address = "", query] = value.split("?");
  plainUrl("--mcp-url must be the URL of an MCP server, such as https://docs.example.com/mcp", address);
  return query === undefined ? address : value;
}

function parseAssistant(values: Values): AssistantOptions | undefined {
  const {
    "assistant-url": url,
    "assistant-key": key,
    "assistant-site": domain,
    "assistant-question": questions,
  } = values;
  if (url === undefined && key === undefined && domain === undefined && questions === undefined) return undefined;
  if (url === undefined || key === undefined)
    throw new UsageError("An assistant needs both --assistant-url and --assistant-key.");
  if (!key.startsWith("svc_dsc_"))
    throw new UsageError("--assistant-key takes an assistant key, which starts with svc_dsc_.");
  const address = plainUrl("--assistant-url must be the service's URL, such as https://docs-api.example.com", url);
  return { url: address, key, domain, ...(questions && { questions }) };
}

/** By default, a person waits for the export, unless it runs in continuous integration. */
function parseConcurrency(value: string | undefined, env: NodeJS.ProcessEnv): number | "time" | "work" {
  if (value === undefined || value === "auto") return env["CI"] ? "work" : "time";
  return value === "time" || value === "work" ? value : wholeNumber("--concurrency", value, 1, 64)!;
}

/** @throws {UsageError} if the environment names no language model */
function parseQuestions(value: string | undefined, env: NodeJS.ProcessEnv): QuestionModel | undefined {
  if (oneOf("--questions", value, ["model"]) === undefined) return undefined;
  const options = modelOptions(env);
  if (options === undefined)
    throw new UsageError("--questions model needs OFFPRINT_MODEL, the name of a language model.");
  const { url, model, key } = options;
  return { url, model, key };
}

function parseAnalytics(values: Values): AnalyticsOptions | undefined {
  const { "analytics-site": domain, "analytics-searches": searches } = values;
  const url = plainUrl(
    "--analytics-url must be the service's URL, such as https://docs-api.example.com",
    values["analytics-url"],
  );
  if (url !== undefined) return { url, domain, searches: searches ?? false };
  if (domain !== undefined || searches) throw new UsageError("Counting views needs --analytics-url.");
  return undefined;
}

function parseArchive(path: string | undefined): string | undefined {
  if (path !== undefined && !/\.(zip|tar\.gz|tgz)$/i.test(path))
    throw new UsageError(`--archive takes a file name that ends in .zip, .tar.gz or .tgz, not "${path}".`);
  return path;
}

const typedNames: Readonly<Record<string, string>> = { domain: "site", questions: "question" };

/** A message of the library with the option of the command line: `--assistant-site` for `assistant.domain`. */
const asTyped = (message: string): string =>
  message.replace(
    /^(assistant|analytics)\.(\w+)/,
    (_, group: string, name: string) => `--${group}-${typedNames[name] ?? name}`,
  );
