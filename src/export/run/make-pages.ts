import { hash } from "node:crypto";
import { createIndexer } from "../../bundle/search/index.js";
import { writeHtml } from "../../lib/html/write-html.js";
import { engineVersion } from "../../lib/package-root.js";
import type { WorkerPoolOptions } from "../../lib/queue/index.js";
import { createIcons } from "../../page/icons/create-icons.js";
import { createIslandRenderer, type IslandRenderer } from "../../page/islands/index.js";
import { hrefOf } from "../../site/links/index.js";
import { pageProducts, type Site } from "../../site/site.js";
import type { PageParts } from "../export-options.js";
import { createPublishedModels } from "../pages/api-pages.js";
import { renderPages } from "../pages/render-pages.js";
import type { PageThreadData } from "../pages/thread-messages.js";
import { openPageStore, type PageStore } from "../store/page-store.js";
import type { BegunBundle } from "./begin-bundle.js";
import { healPages } from "./check-links.js";
import { embedPages } from "./embed-remote.js";
import type { TextToParse } from "./outside-world.js";
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

/** Pages that are looked up to estimate how many the store lacks. */
const samplePages = 200;

/** Indexes of the pages of each part. A page stays in its part while other pages come and go. */
export function pagesByPart({ pages }: Site, count: number): ReadonlyMap<number, readonly number[]> {
  return Map.groupBy(pages.keys(), (page) => partOf(pages[page]!.outputPath, count));
}

const partOf = (outputPath: string, count: number): number =>
  (Number.parseInt(hash("sha256", outputPath, "hex").slice(0, 12), 16) % count) + 1;

/** About how many pages the store lacks. */
function missingPages({ pages }: Site, store: NonNullable<PageStore>): number {
  const step = Math.ceil(pages.length / samplePages);
  const sample = pages.filter((_, index) => index % step === 0);
  const missing = sample.filter((plan) => !store.find(plan.outputPath, plan));
  return Math.round((missing.length / sample.length) * pages.length);
}

/** Indexes of pages in the order in which this machine makes them, or their documents. */
async function* orderOf(parts: PageParts, site: Site, store: NonNullable<PageStore>): AsyncGenerator<number> {
  const pages = pagesByPart(site, parts.count);
  for (let part = await parts.next(); part; part = await parts.next()) {
    if (part.files !== undefined) store.takeOver(part.files);
    yield* pages.get(part.index) ?? [];
  }
}

/** Renders the live components of the site's pages. Nothing is loaded or started before the first one. */
export function createSiteIslands(run: ExportRun, { site, siteFiles, addresses }: BegunBundle): IslandRenderer {
  const icons = createIcons({ library: site.config.icons.library });
  const islands = createIslandRenderer({
    cache: run.cache,
    version: engineVersion(),
    worker: run.islandWorker(),
    has: (path) => siteFiles.has(path),
    readModule: (path) => (siteFiles.has(path) ? siteFiles.readText(path) : undefined),
    resolveLink(literal) {
      const target = addresses.resolve(literal, { sourcePath: site.config.sourcePath });
      return target.kind === "page" || target.kind === "file" ? hrefOf(target, "index.html") : undefined;
    },
    icon(name) {
      const { node, diagnostics } = icons.icon({ name });
      return node === undefined || diagnostics.length > 0 ? undefined : writeHtml(node);
    },
  });
  run.onClose(() => islands.close());
  return islands;
}
