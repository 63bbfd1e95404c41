import { readFileSync } from "node:fs";
import {
  type BundleFile,
  bundlePath,
  createBundleWriter,
  createManifest,
  manifestName,
  openStaging,
  printManifest,
  writeBundleStream,
} from "../bundle/archive/index.js";
import { buildAssets, copyStaticFiles, writeParts } from "../bundle/assets/index.js";
import { resolveBaseUrl, siteOutputs } from "../bundle/outputs/index.js";
import { createIndexer, type Indexer, searchScopes } from "../bundle/search/index.js";
import { openFolderCache, pruneCache } from "../lib/cache/index.js";
import { compareDiagnostics, type Diagnostic } from "../lib/diagnostic/index.js";
import type { FetchOutcome } from "../lib/fetch/index.js";
import { engineVersion } from "../lib/package-root.js";
import { withoutUndefined } from "../lib/without-undefined.js";
import { checkAnchors } from "../page/check/index.js";
import { createDiagramDrawer } from "../page/diagrams/index.js";
import { codeThemeCss } from "../page/highlight/index.js";
import type { ExternalUse } from "../page/render/index.js";
import { chromeIds } from "../page/theme/index.js";
import { createAddresses } from "../site/links/index.js";
import { deploymentFeatures } from "./deployment-features.js";
import { type ExportOptions, type ExportResult, exportDefaults } from "./export-options.js";
import { loadSite } from "./load-site.js";
import { outsideRequests } from "./outside-requests.js";
import { createProgress } from "./progress.js";
import { renderPages } from "./render-pages.js";
import { createTimings } from "./timings.js";

/**
 * Exports one site; without `output` and `archive` it is only checked.
 *
 * Out:   `output` and `archive` hold the new bundle when the promise resolves with `ok: true`. With `ok: false` (no
 *        site, no pages, or an error with `strict`) the previous ones stand as they were.
 * Fails: faults of the site are `diagnostics`. What the surroundings do (disk full, no permission) is thrown, and
 *        nothing is left half-written.
 * Stops: within a second once `signal` aborts; rejects with its reason.
 *
 * @throws {OutputNotOursError} if `output` or `archive` is something that no export made.
 * @throws {RangeError} if `archive`, `baseUrl` or `fallbackBaseUrl` have another form than `ExportOptions` says.
 */
export async function exportSite(options: ExportOptions): Promise<ExportResult> {
  const settings = { ...exportDefaults, ...withoutUndefined(options) };
  const { signal, output, archive, cacheFolder } = settings;
  const features = deploymentFeatures[settings.deployment];
  signal?.throwIfAborted();
  const progress = createProgress(settings.onProgress);
  const timings = createTimings();
  const drawer = createDiagramDrawer({
    cache: cacheFolder === undefined ? undefined : openFolderCache(cacheFolder),
    version: engineVersion(),
  });
  // A site that is only checked needs no place: its pages are made, and forgotten.
  const staging = output === undefined && archive === undefined ? undefined : await openStaging({ output, archive });
  const folder = staging?.folder;
  let indexer: Indexer | undefined;
  try {
    progress("read", 0, 1);
    const loaded = await timings.measure("read", () =>
      loadSite({
        ...settings,
        written: [output, archive].filter((path) => path !== undefined),
        fetchText: features.remoteSpecs ? fetchText : undefined,
        onProgress: (done, total) => progress("read", done, total),
      }),
    );
    const { site, files } = loaded;
    if (!site) return refusal("", loaded.diagnostics, timings.all());
    const { baseUrl, diagnostics: ofBaseUrl } = resolveBaseUrl(site.config, settings.baseUrl, settings.fallbackBaseUrl);

    const addresses = createAddresses(site);

    progress("assets", 0, 1);
    const write = createBundleWriter(folder);
    const put = (path: string, bytes: Uint8Array): void => void write(path, bytes);
    const assets = await timings.measure("assets", async () =>
      buildAssets({
        site,
        addresses,
        files,
        codeThemeCss: await codeThemeCss(site.config.styling.codeblocks),
        write: put,
      }),
    );
    const copied = await timings.measure("copy", () => copyStaticFiles(site, files, folder, signal));
    const outputs = siteOutputs(site, {
      addresses,
      baseUrl,
      readMarkdown: (path) => (folder === undefined ? undefined : readFileSync(bundlePath(folder, path), "utf8")),
    });
    const fixed = [...assets.files, ...copied.files];

    const scopes = searchScopes(site);
    if (staging !== undefined)
      indexer = createIndexer({
        scopes,
        pageCount: site.pages.length,
        folder: staging.scratch,
        write,
      });
    const results = await timings.measure("pages", () =>
      renderPages({
        data: {
          site,
          root: files.root,
          sourcePaths: files.paths,
          assets: assets.manifest,
          otherFiles: [
            ...[...fixed, ...outputs.files].map((file) => file.path),
            ...Object.values(assets.manifest.parts),
            "404.html",
          ],
          staging: folder,
          scratch: staging?.scratch,
          baseUrl,
          features,
          cacheFolder,
          parser: settings.parser,
        },
        concurrency: settings.concurrency,
        pageTimeoutMs: settings.pageTimeoutMs,
        onCall: (_, sources) => drawer.draw(sources as Parameters<typeof drawer.draw>[0]),
        onPage: (done, page, result) => {
          indexer?.take(page, result.searchRecord);
          timings.add(result.timings);
          progress("pages", done, site.pages.length);
        },
        signal,
      }),
    );

    progress("outputs", 0, 1);
    const beside = await timings.measure("outputs", async () => {
      if (folder === undefined) return [];
      const streams: Promise<BundleFile>[] = [];
      const written: BundleFile[] = [];
      for (const { path, text } of outputs.files)
        if (typeof text === "string") written.push(write(path, text));
        else streams.push(writeBundleStream(folder, path, text));
      written.push(...(await Promise.all(streams)));
      const used = new Set(results.flatMap((result) => result.stylesheets));
      const parts = Object.entries(assets.manifest.parts).filter(([, path]) => used.has(path));
      const names = [...(scopes.length > 0 ? ["search"] : []), ...parts.map(([name]) => name)];
      return [...written, ...(await writeParts(names, put))];
    });
    const searched = await timings.measure("search", async () => (await indexer?.finish(signal)) ?? []);
    signal?.throwIfAborted();

    const checked = site.pages.map(({ outputPath }, i) => ({ outputPath, ...results[i]! }));
    const external = tidyExternal([...assets.external, ...results.flatMap((result) => result.external)]);
    const diagnostics = tidy([
      ...loaded.diagnostics,
      ...ofBaseUrl,
      ...assets.diagnostics,
      ...copied.diagnostics,
      ...outputs.diagnostics,
      ...results.flatMap((result) => result.diagnostics),
      ...checkAnchors(checked, chromeIds),
      ...(features.outsideRequests ? [] : outsideRequests(external)),
    ]);
    if (settings.strict && diagnostics.some((each) => each.severity === "error"))
      return { ...refusal(site.config.name, diagnostics, timings.all()), external };

    const result = { ok: true, siteName: site.config.name, pageCount: site.pages.length, diagnostics, external };
    progress("archive", 0, 1);
    if (!staging) {
      progress("archive", 1, 1);
      return { ...result, timings: timings.all() };
    }
    const manifest = createManifest(
      {
        engineVersion: engineVersion(),
        siteName: site.config.name,
        pageCount: site.pages.length,
        deployment: settings.deployment,
      },
      uniqueFiles([...fixed, ...beside, ...searched, ...results.flatMap((each) => each.files)]),
    );
    write(manifestName, printManifest(manifest));
    const packed = await timings.measure("archive", () => staging.commit(signal));
    if (cacheFolder !== undefined) await pruneCache(cacheFolder);
    progress("archive", 1, 1);
    return {
      ...result,
      manifest,
      ...(staging.target === undefined ? {} : { output: staging.target }),
      ...(packed ? { archive: packed } : {}),
      timings: timings.all(),
    };
  } finally {
    await drawer.close();
    indexer?.close();
    await staging?.discard();
  }
}

/** Nearly no site names a text by its address, so the fetcher is loaded when one does. */
async function fetchText(url: string, signal?: AbortSignal): Promise<FetchOutcome> {
  const { guardedFetch } = await import("../lib/fetch/index.js");
  return guardedFetch(url, {}, signal);
}

function refusal(siteName: string, diagnostics: readonly Diagnostic[], timings: Record<string, number>): ExportResult {
  return { ok: false, siteName, pageCount: 0, diagnostics, external: [], timings };
}

/** Sorted by place; what every page says alike is said once. */
function tidy(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Map(diagnostics.map((each) => [JSON.stringify(each), each]));
  return [...seen.values()].sort(compareDiagnostics);
}

function tidyExternal(uses: readonly ExternalUse[]): ExternalUse[] {
  const seen = new Map(uses.map((each) => [JSON.stringify(each), each]));
  const keys = [...seen.keys()].sort();
  return keys.map((key) => seen.get(key)!);
}

/** Pages may make the same diagram, and so the same file. */
function uniqueFiles(files: readonly BundleFile[]): BundleFile[] {
  return [...new Map(files.map((file) => [`${file.path} ${file.sha256}`, file])).values()];
}
