import { randomBytes } from "node:crypto";
import { openStaging } from "../../bundle/archive/index.js";
import { pruneCache } from "../../lib/cache/index.js";
import type { PagePlan } from "../../site/site.js";
import type { PageParts, Shard, ShardOptions, ShardResult } from "../export-options.js";
import { createModelPages, type ModelTask } from "../pages/api-pages.js";
import { openPagePool, type PagePoolOptions } from "../pages/render-pages.js";
import type { PageResult, PageTask } from "../pages/thread-messages.js";
import { openPageStore, type PageStore } from "../store/page-store.js";
import { beginBundle } from "./begin-bundle.js";
import { watchSource, withSteadySource } from "./changing-source.js";
import { pagesByPart, pageThreads } from "./make-pages.js";
import type { OutsideWorld } from "./outside-world.js";
import { openSite, readSite } from "./read-site.js";
import { reportUnreadable } from "./report-site.js";
import { InvalidOption } from "./resolve-options.js";
import { startRun } from "./start-run.js";

/**
 * `exportShard`. If a file of the site vanishes while it is read, the run begins again with the part that it was at, and
 * reports the file.
 *
 * @param nextPart another part of as many, once one is made; the site is read once for all
 */
export function runShard(
  { shard, ...options }: ShardOptions,
  outside?: Partial<OutsideWorld>,
  nextPart?: PageParts["next"],
): Promise<ShardResult> {
  let current = shard;
  const next = async (): Promise<Shard | undefined> => {
    const part = await nextPart?.();
    if (part) current = { ...shard, index: part.index };
    return part && current;
  };
  return withSteadySource(options.source, () => makeParts({ ...options, shard: current }, outside, next));
}

/** Step by step. */
async function makeParts(
  { shard, ...options }: ShardOptions,
  outside: Partial<OutsideWorld> | undefined,
  nextPart: () => Promise<Shard | undefined>,
): Promise<ShardResult> {
  const cacheFolder = requireShard(shard, options.cacheFolder);
  const checked = await startRun(options, outside);
  const staging = await openStaging({});
  checked.onClose(() => staging.discard());
  const run = { ...checked, staging };
  const { progress, timings } = run;
  const opened = openSite(run);
  const { root, paths } = opened.files;
  const { requireUnchanged } = watchSource(root, paths);
  try {
    const loaded = await readSite(run, opened);
    const { site, files } = loaded;
    const none = { pageCount: 0, shardPages: 0, made: 0 };
    if (!site) {
      requireUnchanged(files.allReads());
      const { siteName, diagnostics } = reportUnreadable(loaded);
      return { ok: false, siteName, diagnostics, ...none, ...timings.all() };
    }
    const bundle = await beginBundle(run, site, files, []);
    const { data, ...threads } = pageThreads(run, bundle);
    const store = await timings.measure("read", () => openPageStore(run, { ...data, staging: undefined }, files));
    const parts = pagesByPart(site, shard.count);
    let [made, shardPages] = [0, 0];
    let { index } = shard;
    for (;;) {
      const pages = parts.get(index) ?? [];
      await timings.measure("pages", () =>
        renderShard({
          ...threads,
          data: store!.data,
          store: store!,
          pages,
          onPage(done, result) {
            if (result?.kept) made++;
            if (result) timings.addPage(result.timings);
            progress("pages", done, pages.length);
          },
        }),
      );
      shardPages += pages.length;
      const name = `shard-${index}-${shard.count}-${randomBytes(8).toString("hex")}`;
      if (!(await store!.savePartial(name)))
        throw new InvalidOption(`The cache ${cacheFolder} cannot be written, so the pages of the shard are lost`);
      const next = await nextPart();
      if (!next) break;
      index = next.index;
    }
    await pruneCache(cacheFolder);
    progress("archive", 1, 1);
    const counts = { pageCount: site.pages.length, shardPages, made };
    return { ok: true, siteName: site.config.name, diagnostics: [], ...counts, ...timings.all() };
  } catch (error) {
    if (!run.settings.signal?.aborted) requireUnchanged(paths, error);
    throw error;
  } finally {
    await run.close();
  }
}

const mostShards = 10_000;

function requireShard({ index, count }: Shard, cacheFolder: string | undefined): string {
  if (!Number.isInteger(count) || count < 1 || count > mostShards)
    throw new InvalidOption(`shard.count is ${count}; it must be a whole number from 1 to ${mostShards}`);
  if (!Number.isInteger(index) || index < 1 || index > count)
    throw new InvalidOption(`shard.index is ${index}; it must be a whole number from 1 to ${count}`);
  if (cacheFolder === undefined) throw new InvalidOption("A shard needs cacheFolder: its pages are kept there");
  return cacheFolder;
}

interface ShardPagesOptions extends PagePoolOptions {
  readonly store: NonNullable<PageStore>;
  /** Indexes of the pages. */
  readonly pages: readonly number[];
  /** Called after each page with the number of finished pages. The result is that of a page that was made now. */
  readonly onPage: (done: number, result: PageResult | undefined) => void;
}

/**
 * Makes the bodies of some pages, and of the models that they refer to, and keeps them in the store. A page that cannot be
 * made is left out: the export that puts the site together makes and reports it.
 *
 * Stops: once `signal` aborts, ends all threads and rejects with its reason.
 */
async function renderShard(options: ShardPagesOptions): Promise<void> {
  const { data, store, pages, onPage, signal } = options;
  const { site } = data;
  const modelPages = createModelPages(site);
  const pool = openPagePool(options, pages.length);
  const known = new Set<string>();
  let models: ModelTask[] = [];
  let done = 0;

  const make = async (plan: PagePlan, task: PageTask): Promise<PageResult | undefined> => {
    const stored = store.find(plan.outputPath, plan);
    const outcome = stored ? undefined : await pool.run(task);
    const result = outcome?.ok ? outcome.result : undefined;
    if (result) store.keep(plan.outputPath, result, plan);
    for (const model of modelPages.tasks(plan, result?.models ?? stored?.models))
      if (!known.has(model.outputPath)) {
        known.add(model.outputPath);
        models.push(model);
      }
    if (result) pool.growAfter(result.timings, pages.length - done);
    return result;
  };
  const makePage = async (index: number): Promise<void> => {
    const result = await make(site.pages[index]!, { kind: "page", index, bodyOnly: true });
    onPage(++done, result);
  };

  try {
    await pool.runAll(pages.map((index) => () => makePage(index)));
    while (models.length > 0) {
      const wanted = models;
      models = [];
      await pool.runAll(
        wanted.map((model) => async () => {
          await make(modelPages.plan(model), { kind: "model", model, bodyOnly: true });
        }),
      );
    }
    signal?.throwIfAborted();
  } finally {
    await pool.close();
  }
}
