import { join, sep } from "node:path";
import type { ExportResult } from "../export-options.js";
import { openPlanStore } from "../store/plan-store.js";
import type { Source } from "../store/source-files.js";
import type { openUnchangedExport } from "../store/unchanged-export.js";
import { beginBundle } from "./begin-bundle.js";
import type { ExportEnvironment } from "./environment.js";
import { makePages } from "./make-pages.js";
import type { OpenedRun } from "./open-run.js";
import { putInPlace } from "./put-in-place.js";
import { readSite } from "./read-site.js";
import { reportSite, reportUnreadable } from "./report-site.js";
import { equipRun } from "./start-run.js";
import { repairSiteLinks, settleModelScripts, writeOutputs } from "./write-outputs.js";

interface MakeOptions {
  /** Keeps the result for the next export. */
  readonly unchanged: ReturnType<typeof openUnchangedExport>;
  readonly environment: Partial<ExportEnvironment> | undefined;
}

/** The steps of an export whose site has changed. @throws {SourceChangedError} if a file of the site changes meanwhile */
export async function makeBundle(opened: OpenedRun, source: Source, options: MakeOptions): Promise<ExportResult> {
  const run = equipRun(opened, options.environment);
  const { settings, timings, staging } = run;
  const { root, requireUnchanged } = source;
  source.recognize();
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
  const records = await settleModelScripts(run, bundle, { ...pages, records: repaired.records });
  const outputs = await writeOutputs(run, bundle, { ...pages, records });

  const report = reportSite(settings, loaded, bundle, repaired, pages.questions);
  const above = join(root, sep).length;
  requireUnchanged(report.inputs.map((path) => path.slice(above).replaceAll(sep, "/")));
  if (settings.strict && report.diagnostics.some(({ severity }) => severity === "error"))
    return { ok: false, ...report, pageCount: 0, ...timings.all() };

  const copies = bundle.remote?.files() ?? [];
  const files = [...bundle.files, ...copies, ...outputs, ...records.flatMap((record) => record.files)];
  pages.store?.checkOutput();
  const inPlace = await putInPlace(run, bundle, files);
  // Delete the old bundle before its states are stored: that changes the ctime of files that the new one shares with it.
  await staging?.discard();
  const output = await pages.store?.save(inPlace.manifest?.files ?? []);
  source.keepStates(siteFiles.textHashes);
  const result = { ok: true, ...report, ...inPlace, ...timings.all() } as const;
  if (!run.hasAskedNetwork()) options.unchanged?.save(result, output ?? "");
  return result;
}
