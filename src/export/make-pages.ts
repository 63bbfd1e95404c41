import { createIndexer } from "../bundle/search/index.js";
import type { WorkerPoolOptions } from "../lib/queue/index.js";
import { pageProducts } from "../site/site.js";
import type { BegunBundle } from "./begin-bundle.js";
import { embedPages } from "./embed-remote.js";
import { healPages } from "./heal-pages.js";
import { createPublishedModels } from "./model-pages.js";
import type { TextToParse } from "./outside-world.js";
import { missingPages, orderOf } from "./page-parts.js";
import { openPageStore } from "./page-store.js";
import type { PageThreadData } from "./page-thread-data.js";
import { createSiteIslands } from "./render-islands.js";
import { renderPages } from "./render-pages.js";
import type { ExportRun } from "./start-run.js";

export type MadePages = Awaited<ReturnType<typeof makePages>>;

/** What the threads that make pages of a bundle need. */
export function pageThreads(run: ExportRun, bundle: BegunBundle) {
  const { settings, features, diagrams, parseMarkdown, staging } = run;
  const { site, siteFiles, baseUrl, assets, remote } = bundle;
  const otherFiles = [
    ...[...bundle.files, ...bundle.outputs].map((file) => file.path),
    ...bundle.printed.map((section) => section.outputPath),
    ...Object.values(assets.parts),
    "404.html",
  ];
  const islands = createSiteIslands(run, bundle);
  const data: PageThreadData = {
    // Threads need no more of it.
    site: { ...site, classNames: [], snippets: [] },
    root: siteFiles.root,
    sourcePaths: siteFiles.paths,
    assets,
    otherFiles,
    staging: staging?.folder,
    scratch: staging?.scratch,
    baseUrl,
    embedded: remote && [...remote.embedded],
    features,
    cacheFolder: settings.cacheFolder,
    parser: settings.parser,
  };
  const onCall: WorkerPoolOptions["onCall"] = (name, argument) =>
    name === "islands"
      ? islands.render(argument as Parameters<typeof islands.render>[0])
      : name === "markdown"
        ? parseMarkdown(argument as TextToParse)
        : diagrams.draw(argument as Parameters<typeof diagrams.draw>[0]);
  const { concurrency, pageTimeoutMs, signal } = settings;
  return { data, createPool: run.pagePool, concurrency, pageTimeoutMs, onCall, signal };
}

/**
 * Makes and writes every page in worker threads, and hands the pages' texts to the search index. `records` are as
 * `renderPages` gives them; `linkFaults` are the links and redirects to anchors that a page does not have under the typed
 * name, and to files that this bundle does not have; `indexer` has every page, and is absent if the site is only checked.
 */
export async function makePages(run: ExportRun, bundle: BegunBundle) {
  const { progress, timings, staging } = run;
  const { site, siteFiles, scopes, write, remote } = bundle;
  const pageCount = site.pages.length;
  const products = pageProducts(site);
  const threads = pageThreads(run, bundle);
  const store = await timings.measure("read", () => openPageStore(run, threads.data, siteFiles));
  const parts = store && run.splitPages && (await run.splitPages(missingPages(site, store), pageCount));
  const kept = store?.search;
  const indexer = staging && createIndexer({ scopes, products, folder: staging.scratch, write, kept });
  if (indexer) run.onClose(() => indexer.close());
  const models = createPublishedModels(site);
  const made = await timings.measure("pages", () =>
    renderPages({
      ...threads,
      data: store?.data ?? threads.data,
      store,
      order: parts && orderOf(parts, site, store),
      onPage: (done, page, result) => {
        indexer?.take(page, result.searchRecord, result.kept?.body?.record?.[3]);
        models.addPage(page, result.models);
        timings.addPage(result.timings, result.isStored);
        progress("pages", done, pageCount);
      },
      onModel: (model, result) => {
        indexer?.add(model.like, result.searchRecord, result.kept?.body?.record?.[3]);
        models.addModel(model, result.models);
        timings.addPage(result.timings, result.isStored);
      },
      onOutdated: (path) => staging?.remove(path),
      embed: remote && ((made) => timings.measure("embed", () => embedPages(run, remote, made))),
    }),
  );
  const { records, linkFaults } = await timings.measure("check", () => healPages(run, bundle, made));
  return { records, linkFaults, indexer, store, models: models.plans() };
}
