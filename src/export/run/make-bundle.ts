import { join, sep } from "node:path";
import {
  type BundleFile,
  createManifest,
  type ManifestScope,
  manifestName,
  printManifest,
  readBundle,
} from "../../bundle/archive/index.js";
import type { SearchScope } from "../../bundle/search/index.js";
import { pruneCache } from "../../lib/cache/index.js";
import { languageTag } from "../../lib/language/index.js";
import { engineVersion } from "../../lib/package-root.js";
import type { ExportResult, ExportSuccess } from "../export-options.js";
import { openPlanStore } from "../store/plan-store.js";
import type { Source } from "../store/source-files.js";
import type { openUnchangedExport } from "../store/unchanged-export.js";
import { type BegunBundle, beginBundle } from "./begin-bundle.js";
import { makePages } from "./make-pages.js";
import type { OpenedRun } from "./open-run.js";
import { readSite } from "./read-site.js";
import { reportSite, reportUnreadable } from "./report-site.js";
import { type ExportEnvironment, type ExportRun, equipRun } from "./start-run.js";
import { repairSiteLinks, settleModelScripts, writeOutputs } from "./write-outputs.js";

interface MakeOptions {
  /** Stores the result for the next export. */
  readonly unchanged: ReturnType<typeof openUnchangedExport>;
  readonly environment: Partial<ExportEnvironment> | undefined;
}

/** Runs the steps of an export whose site has changed. @throws {SourceChangedError} if a file changes meanwhile */
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

/** The last step: writes the manifest, packs the archive, and replaces the previous bundle. Does nothing for a check. */
async function putInPlace(
  run: ExportRun,
  { site, write, assistant, analytics, baseUrl, scopes }: BegunBundle,
  files: readonly BundleFile[],
): Promise<Pick<ExportSuccess, "manifest" | "size" | "output" | "archive" | "files">> {
  const { settings, progress, timings, staging } = run;
  const { signal, cacheFolder, deployment } = settings;
  progress("archive", 0, 1);
  signal?.throwIfAborted();
  if (!staging) {
    progress("archive", 1, 1);
    return {};
  }
  const about = {
    engineVersion: engineVersion(),
    siteName: site.config.name,
    pageCount: site.pages.length,
    deployment,
    ...(site.audience && { audience: site.audience }),
    ...(assistant && { assistant: new URL(assistant.url).origin }),
    ...(analytics && { analytics: new URL(analytics.url).origin }),
    ...(baseUrl !== undefined && { address: { baseUrl, trailingSlash: site.config.seo.trailingSlash } }),
    ...(scopes.some(({ language, version }) => language ?? version) && { searchScopes: scopes.map(scopeOf) }),
  };
  const manifest = createManifest(about, uniqueFiles(files));
  write(manifestName, printManifest(manifest));
  const inPlace = await timings.measure("archive", async () => {
    const files = run.inMemory ? await readBundle(staging.folder, manifest, signal) : undefined;
    // An archive for another process has a new path each time.
    const archive = await staging.commit(signal, run.isForOther ? undefined : run.cache);
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    const size = { fileCount: manifest.files.length, bytes };
    return { manifest, size, ...(files && { files }), ...(archive && { archive }) };
  });
  if (cacheFolder !== undefined) await pruneCache(cacheFolder);
  progress("archive", 1, 1);
  return staging.target === undefined ? inPlace : { output: staging.target, ...inPlace };
}

const scopeOf = ({ language, version, isDefault }: SearchScope): ManifestScope => ({
  ...(language !== undefined && { language: languageTag(language) }),
  ...(version !== undefined && { version }),
  isDefault,
});

/** Several pages may contain the same diagram, and so write the same file. */
function uniqueFiles(files: readonly BundleFile[]): BundleFile[] {
  const byPath = new Map<string, BundleFile>();
  return files.filter((file) => {
    const before = byPath.get(file.path);
    if (!before) byPath.set(file.path, file);
    return before?.sha256 !== file.sha256;
  });
}
