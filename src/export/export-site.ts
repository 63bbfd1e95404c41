import { beginBundle } from "./begin-bundle.js";
import type { CheckOptions, ExportOptions } from "./export-options.js";
import type { CheckResult, ExportResult, ExportResultWith } from "./export-result.js";
import { makePages } from "./make-pages.js";
import { putInPlace } from "./put-in-place.js";
import { readSite } from "./read-site.js";
import { reportSite, reportUnreadable } from "./report-site.js";
import { startRun } from "./start-run.js";
import { writeOutputs } from "./write-outputs.js";

/** Options with what decides which fields the result has. */
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
 * @throws {RangeError} if `archive`, `baseUrl` or `fallbackBaseUrl` is not of the form that `ExportOptions` describes.
 */
export function exportSite(options: ExportOptions): Promise<ExportResult>;
export async function exportSite(options: ExportOptions): Promise<ExportResult> {
  const run = await startRun(options);
  try {
    const loaded = await readSite(run);
    const { site, files: siteFiles } = loaded;
    if (!site) return { ok: false, ...reportUnreadable(loaded), timings: run.timings.all() };

    const bundle = await beginBundle(run, site, siteFiles);
    const pages = await makePages(run, bundle);
    const outputs = await writeOutputs(run, bundle, pages);

    const report = reportSite(run, loaded, bundle, pages);
    if (run.settings.strict && report.diagnostics.some(({ severity }) => severity === "error"))
      return { ok: false, ...report, pageCount: 0, timings: run.timings.all() };

    const files = [...bundle.files, ...outputs, ...pages.records.flatMap((record) => record.files)];
    const inPlace = await putInPlace(run, bundle, files);
    return { ok: true, ...report, ...inPlace, timings: run.timings.all() };
  } finally {
    await run.close();
  }
}

/**
 * Finds every mistake in a site without exporting it: its pages are made and checked, and nothing is written but
 * `cacheFolder`. Fails and stops as `exportSite` does.
 */
export function checkSite(options: CheckOptions): Promise<CheckResult> {
  return exportSite({ ...options, output: undefined, archive: undefined });
}
