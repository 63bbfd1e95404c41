import { writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { makeFolders } from "../bundle/archive/index.js";
import { checkSite, type ExportResult, exportSite } from "../export/index.js";
import type { ExportArguments } from "./arguments.js";
import { cacheFolder } from "./cache-folder.js";
import { printFailure } from "./failure.js";
import { createProgressDisplay } from "./progress-display.js";
import type { Surroundings } from "./run.js";
import { printDiagnostics, printSummary } from "./summary.js";

/** `offprint export` and `offprint check`. */
export async function runExport(args: ExportArguments, process: Surroundings): Promise<number> {
  const started = performance.now();
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new Error("Interrupted."));
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  const display = createProgressDisplay(args.display, process.stderr);
  try {
    const { command, output, archive } = args;
    const options = {
      source: args.site,
      deployment: args.deployment,
      baseUrl: args.baseUrl,
      paths: args.paths,
      strict: args.strict,
      concurrency: args.concurrency,
      cacheFolder: args.cache ? cacheFolder(process) : undefined,
      onProgress: display.show,
      signal: interruption.signal,
    };
    const result: ExportResult =
      command === "check"
        ? await checkSite(options)
        : // A path, even if the folder is called "memory".
          await exportSite({ ...options, output: output === undefined ? undefined : resolve(output), archive });
    display.close();
    const elapsedMs = performance.now() - started;
    printDiagnostics(result, args, process);
    printSummary(result, args, elapsedMs, process);
    if (args.report !== undefined && !writeReport(args.report, result, args, process)) return 3;
    if (!result.ok) return 1;
    return args.strict && result.diagnostics.some((each) => each.severity === "error") ? 1 : 0;
  } catch (error) {
    display.close();
    if (!interruption.signal.aborted) throw error;
    printFailure("interrupted; the previous output is untouched.", 130, args.display === "json", process);
    return 130;
  } finally {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
  }
}

/** False, with a printed reason, if it cannot be written; the export itself is done by then. */
function writeReport(path: string, result: ExportResult, args: ExportArguments, process: Surroundings): boolean {
  try {
    makeFolders(dirname(resolve(path)));
    writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`);
    return true;
  } catch (error) {
    const done = result.ok ? "what was exported is in place" : "nothing was exported";
    const message = `the report was not written, ${done}: ${(error as Error).message}`;
    printFailure(message, 3, args.display === "json", process);
    return false;
  }
}
