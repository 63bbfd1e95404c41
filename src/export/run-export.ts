import { relative, sep } from "node:path";
import { OutputReplacedError } from "../bundle/archive/index.js";
import type { ExportOptions, ExportResult } from "./export-options.js";
import { beginBundle } from "./run/begin-bundle.js";
import { retryWhileChanging } from "./run/changing-source.js";
import type { ExportEnvironment } from "./run/environment.js";
import { makePages } from "./run/make-pages.js";
import { putInPlace } from "./run/put-in-place.js";
import { readSite } from "./run/read-site.js";
import { reportSite, reportUnreadable } from "./run/report-site.js";
import { startRun } from "./run/start-run.js";
import { repairSiteLinks, writeOutputs } from "./run/write-outputs.js";
import { OutdatedStoreError } from "./store/page-store.js";
import { openPlanStore } from "./store/plan-store.js";
import { openSource, type Source } from "./store/source-files.js";
import { openUnchangedExport } from "./store/unchanged-export.js";

/** Attempts with the cache before one without it. */
const maxAttempts = 2;

/**
 * `exportSite`. A damaged cache, and other runs, cost only time. If files of the site change or vanish while they are read,
 * the run begins again, so that the bundle is that of one state of the site, and reports them.
 *
 * @param environment replaces parts of this machine's
 * @throws {EnvironmentError} if they never stop changing
 */
export function runExport(options: ExportOptions, environment?: Partial<ExportEnvironment>): Promise<ExportResult> {
  let attempt = 1;
  async function tryExport(): Promise<ExportResult> {
    try {
      const useCache = attempt <= maxAttempts;
      return await exportOnce(useCache ? options : { ...options, cacheFolder: undefined }, environment);
    } catch (error) {
      if (!(error instanceof OutdatedStoreError || error instanceof OutputReplacedError)) throw error;
      attempt++;
      return tryExport();
    }
  }
  return retryWhileChanging(tryExport);
}

/** All steps of an export. @throws {SourceChangedError} if a file of the site has changed, also where that made a step fail */
async function exportOnce(options: ExportOptions, environment?: Partial<ExportEnvironment>): Promise<ExportResult> {
  const run = await startRun(options, environment);
  const { settings, timings, staging } = run;
  let source: Source | undefined;
  try {
    source = openSource(run);
    source.noteStates();
    const { root, requireUnchanged } = source;
    const unchanged = openUnchangedExport(run, source);
    const earlier = unchanged?.find();
    if (earlier) return earlier;

    const loaded = await readSite(run, source, { planStore: openPlanStore(run, source) });
    const { site, files: siteFiles } = loaded;
    const lacksPath = settings.requirePaths && loaded.diagnostics.some(({ code }) => code === "PATH_UNKNOWN");
    if (!site || lacksPath) {
      requireUnchanged(siteFiles.allReads());
      return { ok: false, ...reportUnreadable(loaded), ...timings.all() };
    }

    const bundle = await beginBundle(run, site, siteFiles);
    const pages = await makePages(run, bundle);
    const repaired = await timings.measure("check", () => repairSiteLinks(run, bundle, pages.records));
    const outputs = await writeOutputs(run, bundle, { ...pages, records: repaired.records });

    const report = reportSite(settings, loaded, bundle, repaired);
    requireUnchanged(report.inputs.map((path) => relative(root, path).split(sep).join("/")));
    if (settings.strict && report.diagnostics.some(({ severity }) => severity === "error"))
      return { ok: false, ...report, pageCount: 0, ...timings.all() };

    const copies = bundle.remote?.files() ?? [];
    const files = [...bundle.files, ...copies, ...outputs, ...repaired.records.flatMap((record) => record.files)];
    pages.store?.checkOutput();
    const inPlace = await putInPlace(run, bundle, files);
    // Delete the old bundle before its states are stored: that changes the ctime of files that the new one shares with it.
    await staging?.discard();
    const states = await pages.store?.save(inPlace.manifest?.files ?? []);
    const result = { ok: true, ...report, ...inPlace, ...timings.all() } as const;
    unchanged?.save(result, states);
    return result;
  } catch (error) {
    if (!settings.signal?.aborted) source?.requireUnchanged(source.paths, error);
    throw error;
  } finally {
    await run.close();
  }
}
