import { relative, sep } from "node:path";
import { OutputReplacedError } from "../bundle/archive/index.js";
import type { OpenedFolder } from "../site/source/index.js";
import type { ExportOptions, ExportResult } from "./export-options.js";
import { beginBundle } from "./run/begin-bundle.js";
import { watchSource, withSteadySource } from "./run/changing-source.js";
import { makePages } from "./run/make-pages.js";
import type { OutsideWorld } from "./run/outside-world.js";
import { putInPlace } from "./run/put-in-place.js";
import { openSite, readSite } from "./run/read-site.js";
import { reportSite, reportUnreadable } from "./run/report-site.js";
import { type ExportRun, startRun } from "./run/start-run.js";
import { writeOutputs } from "./run/write-outputs.js";
import { storeFolderOf } from "./store/page-index.js";
import { OutdatedStoreError } from "./store/page-store.js";
import { openKnownPlan, openKnownScans } from "./store/plan-store.js";
import type { sourceStates } from "./store/source-files.js";
import { unchangedExport } from "./store/unchanged-export.js";

/** Runs with the cache before one without it. */
const mostAttempts = 2;

/**
 * `exportSite`. A damaged cache, and other runs, cost only time. If files of the site change or vanish while they are read,
 * the run begins again, so that the bundle is that of one state of the site, and reports them.
 *
 * @throws {EnvironmentError} if they never stop changing.
 */
export function runExport(options: ExportOptions, outside?: Partial<OutsideWorld>): Promise<ExportResult> {
  let attempt = 1;
  return withSteadySource(options.source, async () => {
    for (;;)
      try {
        return await exportOnce(attempt > mostAttempts ? { ...options, cacheFolder: undefined } : options, outside);
      } catch (error) {
        if (!(error instanceof OutdatedStoreError || error instanceof OutputReplacedError)) throw error;
        attempt++;
      }
  });
}

async function exportOnce(options: ExportOptions, outside?: Partial<OutsideWorld>): Promise<ExportResult> {
  const run = await startRun(options, outside);
  try {
    return await runSteps(run, openSite(run));
  } finally {
    await run.close();
  }
}

/** Begins again, see `withSteadySource`, also if it failed because of a change. */
async function runSteps(run: ExportRun, opened: OpenedFolder): Promise<ExportResult> {
  const { root, paths } = opened.files;
  const { states, requireUnchanged } = watchSource(root, paths);
  try {
    const unchanged = unchangedExport(run, opened, states);
    const previous = unchanged?.find();
    if (previous) return previous;

    const loaded = await readSite(run, opened, { known: knownPlan(run, opened, states) });
    const { site, files: siteFiles } = loaded;
    if (!site) {
      requireUnchanged(siteFiles.allReads());
      return { ok: false, ...reportUnreadable(loaded), ...run.timings.all() };
    }

    const bundle = await beginBundle(run, site, siteFiles);
    const pages = await makePages(run, bundle);
    const written = await writeOutputs(run, bundle, pages);

    const report = reportSite(run, loaded, bundle, pages);
    requireUnchanged(report.inputs.map((path) => relative(root, path).split(sep).join("/")));
    if (run.settings.strict && report.diagnostics.some(({ severity }) => severity === "error"))
      return { ok: false, ...report, pageCount: 0, ...run.timings.all() };

    const copies = bundle.remote?.files() ?? [];
    const files = [...bundle.files, ...copies, ...written, ...pages.records.flatMap((record) => record.files)];
    pages.store?.checkOutput();
    const inPlace = await putInPlace(run, bundle, files);
    // The previous bundle goes first: files that both have get another state by that.
    await run.staging?.discard();
    const outputs = await pages.store?.save(inPlace.manifest?.files ?? []);
    const result = { ok: true, ...report, ...inPlace, ...run.timings.all() } as const;
    unchanged?.keep(result, outputs);
    return result;
  } catch (error) {
    if (!run.settings.signal?.aborted) requireUnchanged(paths, error);
    throw error;
  }
}

/** Undefined without a cache. */
function knownPlan(
  { settings, features }: ExportRun,
  { files }: OpenedFolder,
  states: ReturnType<typeof sourceStates>,
) {
  const { cacheFolder, cacheName = files.root, paths, audience } = settings;
  if (cacheFolder === undefined) return undefined;
  const folder = storeFolderOf(cacheFolder, cacheName);
  return openKnownPlan(folder, openKnownScans(folder, states), states, [paths, audience, features.remoteSpecs]);
}
