import { beginBundle } from "./begin-bundle.js";
import type { ExportOptions } from "./export-options.js";
import type { ExportResult } from "./export-result.js";
import { makePages } from "./make-pages.js";
import type { OutsideWorld } from "./outside-world.js";
import { putInPlace } from "./put-in-place.js";
import { openSite, readSite } from "./read-site.js";
import { reportSite, reportUnreadable } from "./report-site.js";
import { startRun } from "./start-run.js";
import { unchangedExport } from "./unchanged-export.js";
import { writeOutputs } from "./write-outputs.js";

/** `exportSite`, step by step. */
export async function runExport(options: ExportOptions, outside?: Partial<OutsideWorld>): Promise<ExportResult> {
  const run = await startRun(options, outside);
  try {
    const opened = openSite(run);
    const unchanged = unchangedExport(run, opened);
    const previous = unchanged?.find();
    if (previous) return previous;

    const loaded = await readSite(run, opened);
    const { site, files: siteFiles } = loaded;
    if (!site) return { ok: false, ...reportUnreadable(loaded), ...run.timings.all() };

    const bundle = await beginBundle(run, site, siteFiles);
    const pages = await makePages(run, bundle);
    const outputs = await writeOutputs(run, bundle, pages);

    const report = reportSite(run, loaded, bundle, pages);
    if (run.settings.strict && report.diagnostics.some(({ severity }) => severity === "error"))
      return { ok: false, ...report, pageCount: 0, ...run.timings.all() };

    const copies = bundle.remote?.files() ?? [];
    const files = [...bundle.files, ...copies, ...outputs, ...pages.records.flatMap((record) => record.files)];
    const inPlace = await putInPlace(run, bundle, files);
    // The previous bundle goes first: files that both have get another state by that.
    await run.staging?.discard();
    const states = await pages.store?.save(inPlace.manifest?.files ?? []);
    const result = { ok: true, ...report, ...inPlace, ...run.timings.all() } as const;
    unchanged?.keep(result, states);
    return result;
  } finally {
    await run.close();
  }
}
