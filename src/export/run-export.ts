import { relative, sep } from "node:path";
import { OutputReplacedError } from "../bundle/archive/index.js";
import { compareDiagnostics, type Diagnostic } from "../lib/diagnostic/index.js";
import { EnvironmentError } from "../lib/environment-error.js";
import type { OpenedFolder } from "../site/source/index.js";
import { beginBundle } from "./begin-bundle.js";
import type { ExportOptions } from "./export-options.js";
import type { ExportResult } from "./export-result.js";
import { type SourceChange, SourceChangedError, sourceChanges, sourceStates } from "./file-state.js";
import { openKnownPlan } from "./known-plan.js";
import { openKnownScans } from "./known-scans.js";
import { makePages } from "./make-pages.js";
import type { OutsideWorld } from "./outside-world.js";
import { OutdatedStoreError } from "./page-store.js";
import { putInPlace } from "./put-in-place.js";
import { openSite, readSite } from "./read-site.js";
import { reportSite, reportUnreadable } from "./report-site.js";
import { type ExportRun, startRun } from "./start-run.js";
import { storeFolderOf } from "./store-folder.js";
import { unchangedExport } from "./unchanged-export.js";
import { writeOutputs } from "./write-outputs.js";

/** Runs with the cache before one without it. */
const mostAttempts = 2;
/** Runs that begin again because files of the site change. */
const mostRestarts = 3;

/**
 * `exportSite`. A damaged cache, and other runs, cost only time. If files of the site change or vanish while they are read,
 * the run begins again, so that the bundle is that of one state of the site, and reports them.
 *
 * @throws {EnvironmentError} if they never stop changing.
 */
export async function runExport(options: ExportOptions, outside?: Partial<OutsideWorld>): Promise<ExportResult> {
  const changes = new Map<string, Diagnostic>();
  let restarts = 0;
  for (let attempt = 1; ; )
    try {
      const result = await exportOnce(
        attempt > mostAttempts ? { ...options, cacheFolder: undefined } : options,
        outside,
      );
      if (changes.size === 0) return result;
      return { ...result, diagnostics: [...result.diagnostics, ...changes.values()].sort(compareDiagnostics) };
    } catch (error) {
      if (error instanceof SourceChangedError) {
        if (++restarts > mostRestarts) throw keepsChanging(options.source, error.changes);
        for (const change of error.changes) changes.set(change.sourcePath, sourceChanged(change));
      } else if (error instanceof OutdatedStoreError || error instanceof OutputReplacedError) attempt++;
      else throw error;
    }
}

const sourceChanged = ({ sourcePath, isRemoved }: SourceChange): Diagnostic => ({
  code: "SOURCE_CHANGED",
  severity: "warning",
  what: isRemoved
    ? `The file ${sourcePath} was removed while the export read the site. The export started again without it.`
    : `The file ${sourcePath} changed while the export read the site. The export started again with its new content.`,
  location: { sourcePath },
  fix: "export again if another program is still writing to the site.",
});

function keepsChanging(source: string, changes: readonly SourceChange[]): EnvironmentError {
  const paths = changes.map(({ sourcePath }) => sourcePath);
  const more = paths.length > 3 ? ` and ${paths.length - 3} other files` : "";
  return new EnvironmentError(
    `The site ${source} does not stop changing: ${paths.slice(0, 3).join(", ")}${more} changed in each of ${mostRestarts + 1} attempts to read it. Stop the program that writes there, or list what it writes in .mintignore. The previous output is untouched.`,
  );
}

async function exportOnce(options: ExportOptions, outside?: Partial<OutsideWorld>): Promise<ExportResult> {
  const run = await startRun(options, outside);
  try {
    return await runSteps(run, openSite(run));
  } finally {
    await run.close();
  }
}

/** @throws {SourceChangedError} also for what failed because of the change. */
async function runSteps(run: ExportRun, opened: OpenedFolder): Promise<ExportResult> {
  const { root, paths } = opened.files;
  const states = sourceStates(root);
  const requireUnchanged = (read: readonly string[], cause?: unknown): void => {
    const changes = sourceChanges(root, read, states);
    if (changes.length > 0) throw new SourceChangedError(changes, { cause });
  };
  try {
    for (const path of paths) states(path);
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
