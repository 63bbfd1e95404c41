import { OutputReplacedError } from "../bundle/archive/index.js";
import type { ExportOptions, ExportResult } from "./export-options.js";
import { retryWhileChanging } from "./run/changing-source.js";
import type { ExportEnvironment } from "./run/environment.js";
import { openRun } from "./run/open-run.js";
import { OutdatedStoreError } from "./store/page-index.js";
import { openSource, type Source } from "./store/source-files.js";
import { openUnchangedExport } from "./store/unchanged-export.js";

/** Attempts with the cache before one without it. */
const maxAttempts = 2;

/**
 * `exportSite`. A damaged cache, and other runs, cost only time. If files of the site change or vanish while they are read,
 * the run begins again, so that the bundle is that of one state of the site, and reports them.
 *
 * @param environment replaces parts of this machine's
 * @param onChanged called before any page is made; not if nothing has changed since an earlier export
 * @throws {EnvironmentError} if they never stop changing
 */
export function runExport(
  options: ExportOptions,
  environment?: Partial<ExportEnvironment>,
  onChanged?: () => Promise<void>,
): Promise<ExportResult> {
  let attempt = 1;
  async function tryExport(): Promise<ExportResult> {
    try {
      const useCache = attempt <= maxAttempts;
      return await exportOnce(useCache ? options : { ...options, cacheFolder: undefined }, environment, onChanged);
    } catch (error) {
      if (!(error instanceof OutdatedStoreError || error instanceof OutputReplacedError)) throw error;
      attempt++;
      return tryExport();
    }
  }
  return retryWhileChanging(tryExport);
}

/** All steps of an export. @throws {SourceChangedError} if a file of the site has changed, also where that made a step fail */
async function exportOnce(
  options: ExportOptions,
  environment?: Partial<ExportEnvironment>,
  onChanged?: () => Promise<void>,
): Promise<ExportResult> {
  const run = await openRun(options, environment !== undefined);
  let source: Source | undefined;
  try {
    source = openSource(run);
    source.noteStates();
    const unchanged = openUnchangedExport(run, source);
    const earlier = unchanged?.find();
    if (earlier) return earlier;
    await onChanged?.();
    // Loaded late: where nothing has changed, that would be half of the time.
    const { makeBundle } = await import("./run/make-bundle.js");
    return await makeBundle(run, source, { unchanged, environment });
  } catch (error) {
    if (!options.signal?.aborted) source?.requireUnchanged(source.paths, error);
    throw error;
  } finally {
    await run.close();
  }
}
