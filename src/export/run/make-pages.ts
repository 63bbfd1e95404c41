import { hash } from "node:crypto";
import { createIndexer, createReaderQuestions, searchChoices } from "../../bundle/search/index.js";
import { writeHtml } from "../../lib/html/write-html.js";
import { lazy } from "../../lib/memo.js";
import { engineVersion } from "../../lib/package-root.js";
import { createIcons } from "../../page/icons/create-icons.js";
import type { IslandRenderer } from "../../page/islands/island.js";
import { createIslandRenderer } from "../../page/islands/island-renderer.js";
import { hrefOf } from "../../site/links/index.js";
import { pageProducts, type Site } from "../../site/site.js";
import type { LocateInSpec } from "../../site/specs/index.js";
import { createPublishedModels } from "../pages/api-pages.js";
import { type PageThreads, renderPages } from "../pages/render-pages.js";
import type { PageResult } from "../pages/thread-messages.js";
import { openPageStore, type PageStore } from "../store/page-store.js";
import type { BegunBundle } from "./begin-bundle.js";
import type { ExportRun, PageParts, TextToParse } from "./start-run.js";

export type MadePages = Awaited<ReturnType<typeof makePages>>;

/** Makes and writes every page in threads, and gives the texts to the search; no `indexer` for a check. */
export async function makePages(run: ExportRun, bundle: BegunBundle) {
  const { progress, timings, staging } = run;
  const { site, scopes, write, remote } = bundle;
  const pageCount = site.pages.length;
  const threads = pageThreads(run, bundle);
  run.onClose(() => threads.islands.close());
  const store = await timings.measure("read", () => openPageStore(run, threads.data, bundle.siteFiles));
  const parts = store && (await run.environment.splitPages?.(countMissing(site, store), pageCount));
  const products = pageProducts(site);
  const choices = searchChoices(site, scopes);
  const questions = openQuestions(run);
  const cache = questions ? undefined : store?.search;
  const indexer =
    staging && createIndexer({ scopes, products, choices, folder: staging.scratch, write, cache, questions });
  if (indexer) run.onClose(() => indexer.close());
  const models = createPublishedModels(site);
  const digestOf = ({ toStore }: PageResult): string | undefined => toStore?.body?.record?.[3];
  const records = await timings.measure("pages", () =>
    renderPages({
      ...threads,
      data: store?.data ?? threads.data,
      store,
      order: parts && partOrder(parts, site, store),
      onPage(done, page, result) {
        indexer?.take(page, result.searchRecord, digestOf(result));
        models.addPage(page, result.models);
        timings.addPage(result.timings, result.isReused);
        progress("pages", done, pageCount);
      },
      onModel(model, result) {
        indexer?.add(model.sibling, result.searchRecord, digestOf(result));
        models.addModel(model, result.models);
        timings.addPage(result.timings, result.isReused);
      },
      onOutdated: (path) => staging?.remove(path),
      embed: remote && ((records) => timings.measure("embed", () => remote.embedPages(records))),
    }),
  );
  return { records, indexer, questions, store, models: models.plans(), opened: models.opened };
}

/** Undefined unless the export asks a language model for the questions of readers. */
function openQuestions({ settings, environment, cache, staging }: ExportRun) {
  const { questions, signal } = settings;
  return questions && staging && createReaderQuestions(questions, environment.postJson, cache, signal);
}

/** What the threads that make pages of a bundle need. Call `islands.close` at the end. */
export function pageThreads(run: ExportRun, bundle: BegunBundle) {
  const { settings, staging, environment, diagrams } = run;
  const { site, siteFiles, baseUrl, assets, remote } = bundle;
  const { cacheFolder, parser, features, concurrency, pageTimeoutMs, signal } = settings;
  const islands = createSiteIslands(run, bundle);
  // Load lazily: half of all sites have no specification.
  const locator = lazy(async () => (await import("../../site/specs/index.js")).createSpecLocator(siteFiles));
  return {
    islands,
    data: {
      // Threads do not need these.
      site: { ...site, classNames: [], snippets: [] },
      root: siteFiles.root,
      sourcePaths: siteFiles.paths,
      assets,
      otherFiles: [
        ...bundle.filePaths,
        ...bundle.outputs.map(({ path }) => path),
        ...bundle.printed.map((section) => section.outputPath),
        ...Object.values(assets.parts),
        "404.html",
      ],
      staging: staging?.folder,
      scratch: staging?.scratch,
      baseUrl,
      embedded: remote && [...remote.embedded],
      features,
      cacheFolder,
      parser,
    },
    createPool(options) {
      environment.freeMemory?.();
      return environment.pagePool(options);
    },
    concurrency,
    onThreads: run.timings.setThreads,
    pageTimeoutMs,
    onCall: (name, argument) =>
      name === "islands"
        ? islands.render(argument as Parameters<typeof islands.render>[0])
        : name === "markdown"
          ? environment.parseMarkdown(argument as TextToParse)
          : name === "location"
            ? locator().then((locate) => locate(...(argument as Parameters<LocateInSpec>)))
            : diagrams.draw(argument as Parameters<typeof diagrams.draw>[0]),
    signal,
  } satisfies PageThreads & { readonly islands: IslandRenderer };
}

/** Renders the live components of the site's pages. Nothing is loaded or started before the first one. */
function createSiteIslands(run: ExportRun, { site, siteFiles, addresses }: BegunBundle): IslandRenderer {
  const icons = createIcons({ library: site.config.icons.library });
  return createIslandRenderer({
    cache: run.cache,
    version: engineVersion(),
    worker: run.environment.islandWorker(),
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
}

/** Indexes of the pages of each part. A page stays in its part while other pages come and go. */
export function pagesByPart({ pages }: Site, count: number): ReadonlyMap<number, readonly number[]> {
  const partOf = (outputPath: string): number =>
    (Number.parseInt(hash("sha256", outputPath, "hex").slice(0, 12), 16) % count) + 1;
  return Map.groupBy(pages.keys(), (page) => partOf(pages[page]!.outputPath));
}

/** Pages that are looked up to estimate how many the store lacks. */
const samplePages = 200;

/** About how many pages the store lacks. */
function countMissing({ pages }: Site, store: NonNullable<PageStore>): number {
  const step = Math.ceil(pages.length / samplePages);
  const sample = pages.filter((_, index) => index % step === 0);
  const missing = sample.filter((plan) => !store.find(plan.outputPath, plan));
  return Math.round((missing.length / sample.length) * pages.length);
}

/** Indexes of pages in the order in which this machine makes them, or their documents. */
async function* partOrder(parts: PageParts, site: Site, store: NonNullable<PageStore>): AsyncGenerator<number> {
  const pages = pagesByPart(site, parts.count);
  for (let part = await parts.next(); part; part = await parts.next()) {
    if (part.files !== undefined) store.takeOver(part.files);
    yield* pages.get(part.index) ?? [];
  }
}
