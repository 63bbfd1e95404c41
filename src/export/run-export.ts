import { rmSync } from "node:fs";
import { beginBundle } from "./begin-bundle.js";
import type { ExportOptions } from "./export-options.js";
import type { ExportResult } from "./export-result.js";
import { sourceStates } from "./file-state.js";
import { openKnownScans } from "./known-scans.js";
import { makePages } from "./make-pages.js";
import type { OutsideWorld } from "./outside-world.js";
import { DamagedStoreError } from "./page-store.js";
import { putInPlace } from "./put-in-place.js";
import { openSite, readSite } from "./read-site.js";
import { reportSite, reportUnreadable } from "./report-site.js";
import { startRun } from "./start-run.js";
import { storeFolderOf } from "./store-folder.js";
import { unchangedExport } from "./unchanged-export.js";
import { writeOutputs } from "./write-outputs.js";

/** `exportSite`. Damage of the cache costs only time. */
export async function runExport(options: ExportOptions, outside?: Partial<OutsideWorld>): Promise<ExportResult> {
  try {
    return await exportOnce(options, outside);
  } catch (error) {
    if (!(error instanceof DamagedStoreError)) throw error;
    rmSync(error.folder, { recursive: true, force: true });
    return exportOnce({ ...options, cacheFolder: undefined }, outside);
  }
}

/** The steps. */
async function exportOnce(options: ExportOptions, outside?: Partial<OutsideWorld>): Promise<ExportResult> {
  const run = await startRun(options, outside);
  try {
    const opened = openSite(run);
    const states = sourceStates(opened.files.root);
    const unchanged = unchangedExport(run, opened, states);
    const previous = unchanged?.find();
    if (previous) return previous;

    const { cacheFolder, cacheName = opened.files.root } = run.settings;
    const known = cacheFolder === undefined ? undefined : openKnownScans(storeFolderOf(cacheFolder, cacheName), states);
    const loaded = await readSite(run, opened, { known });
    const { site, files: siteFiles } = loaded;
    if (!site) return { ok: false, ...reportUnreadable(loaded), ...run.timings.all() };

    const bundle = await beginBundle(run, site, siteFiles);
    const pages = await makePages(run, bundle);
    const written = await writeOutputs(run, bundle, pages);

    const report = reportSite(run, loaded, bundle, pages);
    if (run.settings.strict && report.diagnostics.some(({ severity }) => severity === "error"))
      return { ok: false, ...report, pageCount: 0, ...run.timings.all() };

    const copies = bundle.remote?.files() ?? [];
    const files = [...bundle.files, ...copies, ...written, ...pages.records.flatMap((record) => record.files)];
    const inPlace = await putInPlace(run, bundle, files);
    // The previous bundle goes first: files that both have get another state by that.
    await run.staging?.discard();
    const outputs = await pages.store?.save(inPlace.manifest?.files ?? []);
    const result = { ok: true, ...report, ...inPlace, ...run.timings.all() } as const;
    unchanged?.keep(result, outputs);
    return result;
  } finally {
    await run.close();
  }
}
