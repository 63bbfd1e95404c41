import type { CheckOptions, CheckResult, ExportOptions, ExportResult, ExportResultWith } from "./export-options.js";
import { runExport } from "./run-export.js";

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
export function checkSite(options: CheckOptions): Promise<CheckResult> {
  return exportSite({ ...options, output: undefined, archive: undefined });
}
