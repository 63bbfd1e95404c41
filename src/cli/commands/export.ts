import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeFolders } from "../../bundle/archive/index.js";
import {
  checkSite,
  type ExportResult,
  exportShard,
  exportSite,
  InvalidOption,
  OutputNotOursError,
} from "../../index.js";
import type { Environment } from "../environment.js";
import { UsageError } from "../environment.js";
import { printDiagnostics } from "../print/diagnostics.js";
import { printFailure } from "../print/failure.js";
import { createProgressDisplay } from "../print/progress.js";
import { printShard, printSummary } from "../print/summary.js";
import { openCache } from "../settings/cache.js";
import { openSiteSource, type SiteSource } from "../site-source.js";
import type { ExportArguments } from "./export-options.js";

/** `offprint export` and `offprint check`. */
export async function run(args: ExportArguments, environment: Environment): Promise<number> {
  const started = performance.now();
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new Error("Interrupted."));
  environment.on("SIGINT", interrupt);
  environment.on("SIGTERM", interrupt);
  const display = createProgressDisplay(args.display, environment);
  let source: SiteSource | undefined;
  try {
    const { command, output, archive } = args;
    source = await openSiteSource(args.site);
    if (args.display === "live") environment.stderr.write(source.hint);
    const options = {
      source: source.folder,
      deployment: args.deployment,
      baseUrl: args.baseUrl,
      paths: args.paths,
      audience: args.audience,
      embedRemote: args.embedRemote,
      strict: args.strict,
      concurrency: args.concurrency,
      // A temporary folder is another one next time.
      ...(await openCache(source.conversion ? { ...args, cache: false } : args, environment)),
      onProgress: display.show,
      signal: interruption.signal,
    };
    const { print, assistant, analytics } = args;
    if (args.shard) {
      const result = await exportShard({ ...options, ...{ print, assistant, analytics }, shard: args.shard });
      display.close();
      printShard(result, args, performance.now() - started, environment);
      return result.ok ? 0 : 1;
    }
    const made: ExportResult =
      command === "check"
        ? await checkSite(options)
        : // A path, even if the folder is called "memory".
          await exportSite({
            ...options,
            output: output === undefined ? undefined : resolve(output),
            ...{ archive, print, assistant, analytics },
          });
    display.close();
    const result = { ...made, diagnostics: source.placed(made.diagnostics) };
    const elapsedMs = performance.now() - started;
    printDiagnostics(result, args, environment);
    printSummary(result, args, elapsedMs, environment);
    if (command === "export" && result.ok && !source.conversion && !writeLock(result, args, environment)) return 3;
    if (args.report !== undefined && !writeReport(args.report, result, args, environment)) return 3;
    return hasFailed(result, args) ? 1 : 0;
  } catch (error) {
    display.close();
    if (error instanceof OutputNotOursError || error instanceof InvalidOption) throw new UsageError(error.message);
    if (!interruption.signal.aborted) throw error;
    printFailure("interrupted. The previous output is untouched.", 130, args.display === "json", environment);
    return 130;
  } finally {
    source?.close();
    environment.off("SIGINT", interrupt);
    environment.off("SIGTERM", interrupt);
  }
}

/** A check fails if the site has an error or too many warnings; an export fails if it made nothing. */
function hasFailed(
  { ok, diagnostics }: ExportResult,
  { command, deployment, maxWarnings = Number.POSITIVE_INFINITY }: ExportArguments,
) {
  const breaksPolicy = deployment === "air-gapped" && diagnostics.some(({ code }) => code.startsWith("OUTSIDE_"));
  if (command === "export") return !ok || breaksPolicy;
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return !ok || errors > 0 || diagnostics.length - errors > maxWarnings;
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
