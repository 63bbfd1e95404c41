import { availableParallelism } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { builtFile } from "../../lib/package-root.js";
import {
  createThreadCount,
  type TaskOutcome,
  type ThreadGoal,
  type WorkerPoolOptions,
  watchIdleCores,
} from "../../lib/queue/worker-pool.js";
import type { PagePlan, Site } from "../../site/site.js";
import { openListedFolder } from "../../site/source/index.js";
import type { PagePool } from "../run/start-run.js";
import type { PageStore, StoredPage } from "../store/page-store.js";
import { createModelPages, type ModelTask } from "./api-pages.js";
import type { EmbeddedEntries, PageRecord, PageResult, PageTask, PageThreadData } from "./thread-messages.js";

/** What the threads that make pages of a bundle need. */
export interface PageThreads {
  readonly data: PageThreadData;
  readonly createPool: PagePool;
  /** Pages rendered at once, at least 1; or what the number of threads is chosen by. Default: `time`. */
  readonly concurrency: number | ThreadGoal | undefined;
  /** Called with the number of threads, and again with each higher one. */
  readonly onThreads?: (count: number) => void;
  readonly pageTimeoutMs: number;
  /** Answers the calls of threads. */
  readonly onCall: NonNullable<WorkerPoolOptions["onCall"]>;
  readonly signal?: AbortSignal | undefined;
}

interface RenderPagesOptions extends PageThreads {
  readonly store: PageStore | undefined;
  /** Yields indexes of pages to make, in this order; pages that it leaves out follow. Default: all at once. */
  readonly order?: AsyncIterable<number> | undefined;
  /** Called after each page with the number of finished pages, the page's index and its result. */
  readonly onPage: (done: number, page: number, result: PageResult) => void;
  /** Called for each page of a model; these come after all other pages. */
  readonly onModel: (model: ModelTask, result: PageResult) => void;
  /** Called for each file that a page no longer has after it was made again. */
  readonly onOutdated: (path: string) => void;
  /** Returns the copies of files of other hosts for each page. Pages with such copies are made again. */
  readonly embed?: ((records: readonly PageRecord[]) => Promise<readonly EmbeddedEntries[]>) | undefined;
}

/** Stored pages that are reused in a row; then other work of the event loop, such as an abort, has its turn. */
const pagesAtOnce = 256;

/** Store key of the files that all pages share. */
const sharedPage = "404.html";

/**
 * Makes every page of the site, and the files that the pages share, in worker threads. The records are in the order of the
 * pages; then come the shared files, then the pages of models.
 *
 * Fails: a page that ends its thread, or misses its deadline, is exported as an error page.
 * Stops: once `signal` aborts, ends all threads and rejects with its reason.
 */
export async function renderPages(options: RenderPagesOptions): Promise<PageRecord[]> {
  const { data, store } = options;
  const { pages } = data.site;
  const pool = openPagePool(options, pages.length);
  const models = collectModels(data.site);
  /** Pages of models from `pages.length + 1` on, after the shared files. */
  const planned: PlannedPage[] = pages.map((plan, index) => ({ plan, task: { kind: "page", index } }));
  const records: PageRecord[] = new Array(pages.length + 1);
  let done = 0;
  let made = 0;

  const renderShared = async (embedded?: EmbeddedEntries): Promise<void> => {
    const stored = embedded ? undefined : store?.find(sharedPage);
    if (stored?.record) {
      records[pages.length] = stored.record;
      return;
    }
    const outcome = await pool.run({ kind: "shared", embedded });
    if (!outcome.ok)
      throw Object.assign(new Error(`The 404 page could not be rendered: ${outcome.reason}`), {
        code: outcome.lost === "memory" ? "ENOMEM" : undefined,
      });
    if (embedded) replaceRecord(pages.length, outcome.result.record);
    else {
      records[pages.length] = compact(outcome.result.record);
      store?.put(sharedPage, outcome.result);
    }
  };
  /** The result of a stored page; undefined if its body or its document must be made: see `PageStore`. */
  const reuse = ({ plan }: PlannedPage, stored: StoredPage | undefined): PageResult | undefined => {
    if (!stored?.record) return undefined;
    const { record, searchRecord } = stored;
    return { record, searchRecord, models: models.tasks(plan, stored.models), isReused: true, timings: {} };
  };
  const make = async ({ plan, task }: PlannedPage, stored: StoredPage | undefined): Promise<PageResult> => {
    const result = await pool.runOrReport({ ...task, storedBody: stored?.body, storedFiles: stored?.files }, plan);
    store?.put(plan.outputPath, result, plan);
    made++;
    // Assume that as large a share of the remaining pages must be made as of the finished pages.
    pool.growAfter(result.processorMs, ((pages.length - done) * made) / (done + 1));
    if (!stored || !result.isReused) return result;
    const inputs = [...result.record.inputs, ...stored.inputs];
    return { ...result, searchRecord: stored.searchRecord, record: { ...result.record, inputs } };
  };
  const finishPage = (index: number, result: PageResult): void => {
    records[index] = compact(result.record);
    models.add(result.models);
    options.onPage(++done, index, result);
  };
  const renderModels = async (): Promise<void> => {
    // Models refer to other models.
    for (let tasks = models.next(); tasks.length > 0; tasks = models.next()) {
      const first = records.length;
      const results: PageResult[] = [];
      await pool.runAll(
        tasks.map((model, at) => async () => {
          const page: PlannedPage = { plan: models.plan(model), task: { kind: "model", model } };
          planned[first + at] = page;
          const stored = store?.find(page.plan.outputPath, page.plan);
          results[at] = reuse(page, stored) ?? (await make(page, stored));
        }),
      );
      for (const [at, result] of results.entries()) {
        records[first + at] = compact(result.record);
        models.add(result.models);
        options.onModel(tasks[at]!, result);
      }
    }
  };
  const renderAgain = async (index: number, embedded: EmbeddedEntries): Promise<void> => {
    if (index === pages.length) return renderShared(embedded);
    const { plan, task } = planned[index]!;
    const { record } = await pool.runOrReport({ ...task, embedded }, plan);
    // The name of the script for copying contains a hash of the page's Markdown, which has the address of each copy.
    const paths = new Set(record.files.map(({ path }) => path));
    for (const { path } of records[index]!.files) if (!paths.has(path)) options.onOutdated(path);
    replaceRecord(index, record);
  };
  /** Keeps the inputs of the old record, since threads report only the files that they read for the first time. */
  const replaceRecord = (index: number, record: PageRecord): void => {
    records[index] = compact({ ...record, inputs: [...records[index]!.inputs, ...record.inputs] });
  };
  /** Yields a task for each page that must be made. Stored pages, often thousands, need none. */
  const inOrder = async function* () {
    const left = new Set([...pages.keys(), pages.length]);
    const start = (index: number) => {
      if (index === pages.length) return renderShared;
      const page = planned[index]!;
      const stored = store?.find(page.plan.outputPath, page.plan);
      const reused = reuse(page, stored);
      if (reused) finishPage(index, reused);
      return reused ? undefined : async () => finishPage(index, await make(page, stored));
    };
    for await (const index of options.order ?? []) {
      const task = left.delete(index) ? start(index) : undefined;
      if (task) yield task;
    }
    for (const index of left) {
      const task = start(index);
      if (task) yield task;
      else if (index % pagesAtOnce === 0) await nextTurn();
      options.signal?.throwIfAborted();
    }
  };

  try {
    await pool.runAll(inOrder());
    await renderModels();
    const copies = (await options.embed?.(records)) ?? [];
    await pool.runAll(copies.flatMap((files, index) => (files.length > 0 ? () => renderAgain(index, files) : [])));
    return records;
  } finally {
    await pool.close();
  }
}

interface RenderBodiesOptions extends PageThreads {
  readonly store: NonNullable<PageStore>;
  /** Yields the indexes of the pages of one part after the other. */
  readonly parts: AsyncIterable<readonly number[]>;
  /** Called after each page with the number of finished pages of its part, and its result if the page was made now. */
  readonly onPage: (done: number, result: PageResult | undefined) => void;
}

/**
 * Makes the bodies of parts of the pages, and of the models that they refer to, and puts them into the store. The threads
 * stay for all parts. A page that cannot be made is left out: the export that puts the site together makes and reports it.
 *
 * Stops: once `signal` aborts, ends all threads and rejects with its reason.
 */
export async function renderBodies(options: RenderBodiesOptions): Promise<void> {
  const { data, store, parts, signal } = options;
  const pool = openPagePool(options, data.site.pages.length);
  const models = collectModels(data.site);
  const render = async (plan: PagePlan, task: PageTask, pagesLeft: number): Promise<PageResult | undefined> => {
    const stored = store.find(plan.outputPath, plan);
    const outcome = stored ? undefined : await pool.run(task);
    const result = outcome?.ok ? outcome.result : undefined;
    if (result) store.put(plan.outputPath, result, plan);
    models.add(result?.models ?? models.tasks(plan, stored?.models));
    if (result) pool.growAfter(result.processorMs, pagesLeft);
    return result;
  };
  try {
    for await (const pages of parts) {
      let done = 0;
      await pool.runAll(
        pages.map((index) => async () => {
          const task = { kind: "page", index, bodyOnly: true } as const;
          const result = await render(data.site.pages[index]!, task, pages.length - done);
          options.onPage(++done, result);
        }),
      );
      for (let tasks = models.next(); tasks.length > 0; tasks = models.next())
        await pool.runAll(
          tasks.map((model) => async () => {
            await render(models.plan(model), { kind: "model", model, bodyOnly: true }, 0);
          }),
        );
      signal?.throwIfAborted();
    }
  } finally {
    await pool.close();
  }
}

interface PlannedPage {
  readonly plan: PagePlan;
  readonly task: Exclude<PageTask, { kind: "shared" }>;
}

/** Collects the models to make, each once. */
function collectModels(site: PageThreadData["site"]) {
  const { plan, tasks } = createModelPages(site);
  const seen = new Set<string>();
  let waiting: ModelTask[] = [];
  return {
    plan,
    tasks,
    add(models: readonly ModelTask[]): void {
      for (const model of models) {
        if (!seen.has(model.outputPath) && !model.isPlanned) waiting.push(model);
        seen.add(model.outputPath);
      }
    },
    /** The models added since the last call, sorted by address, since pages finish in any order. */
    next(): ModelTask[] {
      const tasks = waiting.sort((a, b) => (a.outputPath < b.outputPath ? -1 : 1));
      waiting = [];
      return tasks;
    },
  };
}

/** Threads that make pages. Once `signal` aborts, all of them end, and running tasks reject with its reason. */
function openPagePool(options: PageThreads, pageCount: number) {
  const { concurrency = "time", signal, onThreads } = options;
  const fixed = typeof concurrency === "number" ? Math.max(1, Math.min(concurrency, pageCount)) : undefined;
  let count = fixed ?? 1;
  const pool = options.createPool({
    script: pathToFileURL(builtFile("page-thread.js")),
    workerData: options.data,
    size: count,
    deadlineMs: options.pageTimeoutMs,
    onCall: options.onCall,
  });
  const threads =
    typeof concurrency === "number"
      ? undefined
      : createThreadCount(
          Math.min(availableParallelism(), roomForThreads(options.data)),
          concurrency,
          watchIdleCores(),
        );
  const stop = (): void => void pool.close(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  const running = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  /** Retries a task that missed its deadline after the waiting tasks: by then, the code that pages need is compiled. */
  const run = async (task: PageTask): Promise<TaskOutcome<PageResult>> => {
    const outcome = await pool.run(task);
    return !outcome.ok && outcome.lost === "deadline" ? pool.run(task) : outcome;
  };
  return {
    run,
    /** The page that a task makes; if it is lost, an error page that says why. */
    async runOrReport(task: PlannedPage["task"], { sourcePath }: PagePlan): Promise<PageResult> {
      let outcome = await run(task);
      if (!outcome.ok) outcome = await run({ ...task, lost: lostPage(sourcePath, outcome) });
      if (!outcome.ok) throw new Error(`The error page of ${sourcePath} failed as well: ${outcome.reason}`);
      return outcome.result;
    },
    /** Starts each task as soon as the pool has room; waits for all. */
    async runAll(tasks: Iterable<() => Promise<void>> | AsyncIterable<() => Promise<void>>): Promise<void> {
      signal?.throwIfAborted();
      for await (const start of tasks) {
        if (failure) break;
        const task = start().then(
          () => void running.delete(task),
          (error: unknown) => {
            failure ??= { error };
          },
        );
        running.add(task);
        await pool.onRoom();
      }
      if (!failure) await Promise.all(running);
      if (failure) throw failure.error;
    },
    /** Called after each page: starts another thread if that pays off. @param pagesLeft estimate of the pages to make */
    growAfter(processorMs: number | undefined, pagesLeft: number): void {
      if (processorMs === undefined) return;
      if (threads) count = threads.after(processorMs, pagesLeft);
      pool.grow(count);
      onThreads?.(count);
    },
    async close(): Promise<void> {
      signal?.removeEventListener("abort", stop);
      await pool.close();
      await Promise.allSettled(running);
    },
  };
}

/** What all threads together may hold of specifications, in bytes, and how many times the size of its file each takes. */
const maxSpecMemory = 500e6;
const memoryPerSpecByte = 15;

/** The number of threads that have room in memory, since each reads the specifications for itself. */
export function roomForThreads(
  data: Pick<PageThreadData, "root" | "sourcePaths" | "texts"> & { readonly site: Pick<Site, "specs"> },
): number {
  const { site, root, sourcePaths, texts } = data;
  if (site.specs.length === 0) return Number.POSITIVE_INFINITY;
  const files = openListedFolder(root, sourcePaths, texts);
  let bytes = 0;
  for (const { json, source, otherFiles = [] } of site.specs)
    if (json !== undefined) bytes += json.length;
    else for (const path of [source, ...otherFiles]) bytes += files.has(path) ? files.sizeOf(path) : 0;
  return Math.max(1, Math.floor(maxSpecMemory / (bytes * memoryPerSpecByte)));
}

/** Replaces empty lists by one shared list, to save memory: most lists of 25,000 pages are empty. */
const compact = (record: PageRecord): PageRecord => ({
  ...record,
  anchorsWanted: shareEmpty(record.anchorsWanted),
  external: shareEmpty(record.external),
  diagnostics: shareEmpty(record.diagnostics),
  stylesheets: shareEmpty(record.stylesheets),
  inputs: shareEmpty(record.inputs),
});
const empty: readonly never[] = [];
const shareEmpty = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? empty : list);

/** Why a page became an error page. */
export function lostPage(
  sourcePath: string,
  { lost, reason }: Extract<TaskOutcome<unknown>, { ok: false }>,
): Diagnostic {
  const [code, what, fix] = {
    deadline: [
      "PAGE_TOO_SLOW",
      `The page was not rendered in time. ${reason}`,
      "split the page, or use fewer nested levels.",
    ],
    memory: [
      "PAGE_TOO_COMPLEX",
      "Rendering the page exceeded the memory limit for one page.",
      "split the page into several pages.",
    ],
    crash: [
      "PAGE_FAILED",
      `The thread that rendered the page crashed (${reason}).`,
      "this is a bug in Offprint: please report it and attach the page.",
    ],
  }[lost] as [string, string, string];
  return { code, severity: "error", what, location: { sourcePath }, fix };
}
