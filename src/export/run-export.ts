import { OutputReplacedError } from "../bundle/archive/index.js";
import type { CheckOptions, CheckResult, ExportOptions, ExportResult, ExportResultWith } from "./export-options.js";
import { retryWhileChanging } from "./run/changing-source.js";
import { openRun } from "./run/open-run.js";
import type { ExportEnvironment } from "./run/start-run.js";
import { OutdatedStoreError } from "./store/page-index.js";
import { openSource, type Source } from "./store/source-files.js";
import { openUnchangedExport } from "./store/unchanged-export.js";

/** Attempts with the cache before one without it. */
const maxAttempts = 2;

/**
 * Implements `exportSite`. A damaged cache or a concurrent run only costs time. If files of the site change or vanish while
 * they are read, the run starts again, so that the bundle shows one state of the site, and reports these files.
 *
 * @param environment replaces parts of the default environment
 * @param onChanged called before any page is made, not if nothing has changed since an earlier export; may replace parts, too
 * @throws {EnvironmentError} if the files never stop changing
 */
export function runExport(
  options: ExportOptions,
  environment?: Partial<ExportEnvironment>,
  onChanged?: () => Promise<Partial<ExportEnvironment>>,
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

/** Runs all steps of an export. @throws {SourceChangedError} if a file of the site has changed, even if another step failed */
async function exportOnce(
  options: ExportOptions,
  environment?: Partial<ExportEnvironment>,
  onChanged?: () => Promise<Partial<ExportEnvironment>>,
): Promise<ExportResult> {
  const run = await openRun(options, environment !== undefined);
  let source: Source | undefined;
  try {
    source = openSource(run);
    source.noteStates();
    const unchanged = openUnchangedExport(run, source);
    const earlier = unchanged?.find();
    if (earlier) return earlier;
    const tuned = await onChanged?.();
    // Load lazily: loading takes as long as all other work of a run in which nothing has changed.
    const { makeBundle } = await import("./run/make-bundle.js");
    return await makeBundle(run, source, { unchanged, environment: { ...tuned, ...environment } });
  } catch (error) {
    if (!options.signal?.aborted) source?.requireUnchanged(source.paths, error);
    throw error;
  } finally {
    await run.close();
  }
}

/** Options whose `output` and `archive` determine which fields the result has. */
type Asking<Targets> = ExportOptions & Readonly<Targets>;

/** Exports a site into memory and into an archive; see `exportSite(options: ExportOptions)`. */
export function exportSite(
  options: Asking<{ output: "memory"; archive: string }>,
): Promise<ExportResultWith<"files" | "archive">>;
/** Exports a site into memory: `files` has the bundle. See `exportSite(options: ExportOptions)`. */
export function exportSite(options: Asking<{ output: "memory" }>): Promise<ExportResultWith<"files">>;
/** Exports a site into a folder and an archive; see `exportSite(options: ExportOptions)`. */
export function exportSite(
  options: Asking<{ output: string; archive: string }>,
): Promise<ExportResultWith<"output" | "archive">>;
/** Exports a site into a folder; see `exportSite(options: ExportOptions)`. */
export function exportSite(options: Asking<{ output: string }>): Promise<ExportResultWith<"output">>;
/** Exports a site into an archive; see `exportSite(options: ExportOptions)`. */
export function exportSite(options: Asking<{ archive: string }>): Promise<ExportResultWith<"archive">>;
/**
 * Exports one site.
 *
 * Out:   with `ok: true`, `output` and `archive` have the new bundle. With `ok: false` (no site, no pages, or an error and
 *        `strict`) the previous ones are unchanged.
 * Fails: mistakes in the site are `diagnostics`. A failure of the environment (disk full, no permission) is thrown, and
 *        nothing is left half-written.
 * Stops: within a second once `signal` aborts; rejects with its reason.
 * Writes only to `output`, `archive`, `cacheFolder`, temporary folders next to `output` and `archive`, and for "memory" in
 * the system's temporary folder. It starts threads, and a process if a page has diagrams; all of them end with the run. It
 * leaves the process as it is: environment, working directory, signal handlers, settings of V8.
 *
 * @throws {OutputNotOursError} if `output` or `archive` exists and no export made it.
 * @throws {RangeError} if `analytics`, `archive`, `assistant`, `baseUrl` or `fallbackBaseUrl` is not of the form that `ExportOptions` describes.
 */
export function exportSite(options: ExportOptions): Promise<ExportResult>;
export async function exportSite(options: ExportOptions): Promise<ExportResult> {
  return runExport(options);
}

/**
 * Finds every mistake in a site without exporting it: its pages are made and checked, and nothing is written but
 * `cacheFolder`. Fails and stops as `exportSite` does.
 */
export const checkSite = (options: CheckOptions): Promise<CheckResult> =>
  exportSite({ ...options, output: undefined, archive: undefined });
