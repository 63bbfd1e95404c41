import { availableParallelism } from "node:os";
import { pathToFileURL } from "node:url";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { builtFile } from "../../lib/package-root.js";
import { createThreadCount, type TaskOutcome, type WorkerPoolOptions } from "../../lib/queue/index.js";
import type { PagePool } from "../run/outside-world.js";
import type { PageStore } from "../store/page-store.js";
import { createModelPages, type ModelTask } from "./api-pages.js";
import type { EmbeddedEntries, PageRecord, PageResult, PageTask, PageThreadData } from "./thread-messages.js";

/** Key of what the bundle has once for all pages. */
const sharedPage = "404.html";

interface RenderPagesOptions extends PagePoolOptions {
  readonly store: PageStore | undefined;
  /** Indexes of pages, as their turn comes; default: all at once. The others come after them. */
  readonly order?: AsyncIterable<number> | undefined;
  /** Called after each page with the number of finished pages, the page's index and its result. */
  readonly onPage: (done: number, page: number, result: PageResult) => void;
  /** Called for each page of a model; these come after all other pages. */
  readonly onModel: (model: ModelTask, result: PageResult) => void;
  /** Called for each file of a page that it has no more when it is made again. */
  readonly onOutdated: (path: string) => void;
  /**
   * Called with the records of all pages; gives the copies that each of them can use instead of files of other hosts. Pages
   * with such copies are made again.
   */
  readonly embed?: ((records: readonly PageRecord[]) => Promise<readonly EmbeddedEntries[]>) | undefined;
}

/**
 * Makes every page of the site, and the files that the pages share, in worker threads. The results are in the order of
 * the pages; the last one is that of the shared files.
 *
 * Fails: a page that ends its thread, or misses its deadline, is exported as an error page.
 * Stops: once `signal` aborts, ends all threads and rejects with its reason.
 */
export async function renderPages(options: RenderPagesOptions): Promise<PageRecord[]> {
  const { data, store } = options;
  const { pages } = data.site;
  const pool = openPagePool(options, pages.length);

  const results: PageRecord[] = new Array(pages.length + 1);
  let done = 0;

  const makeShared = async (embedded?: EmbeddedEntries): Promise<void> => {
    const stored = embedded ? undefined : store?.find(sharedPage);
    if (stored?.record) {
      results[pages.length] = stored.record;
      return;
    }
    const outcome = await pool.run({ kind: "shared", embedded });
    if (!outcome.ok)
      throw Object.assign(new Error(`The 404 page could not be made: ${outcome.reason}`), {
        code: outcome.lost === "memory" ? "ENOMEM" : undefined,
      });
    results[pages.length] = recordOf(outcome.result, results[pages.length]);
    if (!embedded) store?.keep(sharedPage, outcome.result);
  };
  /** Pages of models, from `pages.length + 1` on, and the addresses of all that any page refers to. */
  const models: ModelTask[] = [];
  const known = new Set<string>();
  let wanted: ModelTask[] = [];
  const found = new Map<number, PageResult>();
  const modelPages = createModelPages(data.site);
  const makeOne = async (index: number, embedded?: EmbeddedEntries): Promise<void> => {
    const model = models[index - pages.length - 1];
    const { sourcePath } = pages[model?.like ?? index]!;
    const plan = model ? modelPages.plan(model) : pages[index]!;
    const stored = embedded ? undefined : store?.find(plan.outputPath, plan);
    const more = { embedded, stored: stored?.body };
    const task = model ? ({ kind: "model", model, ...more } as const) : ({ kind: "page", index, ...more } as const);
    if (stored?.record) {
      const models = modelPages.tasks(plan, stored.models);
      return finish(index, {
        ...stored.record,
        models,
        searchRecord: stored.searchRecord,
        isStored: true,
        timings: {},
      });
    }
    let outcome = await pool.run(task);
    if (!outcome.ok) outcome = await pool.run({ ...task, lost: lostPage(sourcePath, outcome) });
    if (!outcome.ok) throw new Error(`The error page of ${sourcePath} failed too: ${outcome.reason}`);
    const before = results[index];
    if (before) {
      results[index] = recordOf(outcome.result, before);
      return removeOutdated(before, outcome.result);
    }
    const { result } = outcome;
    store?.keep(plan.outputPath, result, plan);
    if (!stored || !result.isStored) finish(index, result);
    else finish(index, { ...result, searchRecord: stored.searchRecord, inputs: [...result.inputs, ...stored.inputs] });
    pool.growAfter(result.timings, pages.length - done);
  };
  const finish = (index: number, result: PageResult): void => {
    results[index] = recordOf(result);
    for (const each of result.models) if (!known.has(each.outputPath)) wanted.push(each);
    for (const each of wanted) known.add(each.outputPath);
    if (index > pages.length) found.set(index, result);
    else options.onPage(++done, index, result);
  };
  /** The name of the script for copying contains a hash of the page's Markdown, which has the address of each copy. */
  const removeOutdated = (before: PageRecord, now: PageRecord): void => {
    const paths = new Set(now.files.map(({ path }) => path));
    for (const { path } of before.files) if (!paths.has(path)) options.onOutdated(path);
  };
  /** Models refer to others. They are numbered by address: the order in which pages end is by chance. */
  const makeModels = async (): Promise<void> => {
    while (wanted.length > 0) {
      const first = results.length;
      models.push(...wanted.sort((a, b) => (a.outputPath < b.outputPath ? -1 : 1)));
      wanted = [];
      await pool.runAll(models.slice(first - pages.length - 1).map((_, at) => make(first + at)));
      for (let index = first; index < results.length; index++)
        options.onModel(models[index - pages.length - 1]!, found.get(index)!);
      found.clear();
    }
  };
  const inOrder = async function* () {
    const left = new Set([...pages.keys(), pages.length]);
    for await (const index of options.order ?? []) if (left.delete(index)) yield make(index);
    for (const index of left) yield make(index);
  };
  const make = (index: number, embedded?: EmbeddedEntries) => () =>
    index === pages.length ? makeShared(embedded) : makeOne(index, embedded);

  try {
    await pool.runAll(inOrder());
    await makeModels();
    const copies = (await options.embed?.(results)) ?? [];
    await pool.runAll(copies.flatMap((embedded, index) => (embedded.length > 0 ? make(index, embedded) : [])));
    return results;
  } finally {
    await pool.close();
  }
}

/** @param before the record of the page's first making: later ones find every file read. */
const recordOf = (result: PageResult, before?: PageRecord): PageRecord => ({
  files: result.files,
  ids: result.ids,
  anchorsWanted: shared(result.anchorsWanted),
  external: shared(result.external),
  diagnostics: shared(result.diagnostics),
  stylesheets: shared(result.stylesheets),
  inputs: shared(before ? [...before.inputs, ...result.inputs] : result.inputs),
});
const none: readonly never[] = [];

/** All empty lists are one: most of the lists of 25,000 pages are empty. */
const shared = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? none : list);

export function lostPage(sourcePath: string, outcome: Extract<TaskOutcome<unknown>, { ok: false }>): Diagnostic {
  const location = { sourcePath };
  if (outcome.lost === "deadline")
    return {
      code: "PAGE_TOO_SLOW",
      severity: "error",
      what: `The page was not rendered in time. ${outcome.reason}`,
      location,
      fix: "split the page, or nest its content less deeply.",
    };
  if (outcome.lost === "memory")
    return {
      code: "PAGE_TOO_COMPLEX",
      severity: "error",
      what: "Rendering the page took more memory than a page may take.",
      location,
      fix: "split the page into several.",
    };
  return {
    code: "PAGE_FAILED",
    severity: "error",
    what: `Rendering the page ended its thread (${outcome.reason}).`,
    location,
    fix: "this is a bug of Offprint: please report it with the page.",
  };
}

export interface PagePoolOptions {
  readonly data: PageThreadData;
  readonly createPool: PagePool;
  /** Pages rendered at once, at least 1; undefined: up to the number of cores, by the amount of work. */
  readonly concurrency: number | undefined;
  readonly pageTimeoutMs: number;
  /** Answers the calls of threads. */
  readonly onCall: NonNullable<WorkerPoolOptions["onCall"]>;
  readonly signal?: AbortSignal | undefined;
}

/** Threads that make pages. Once `signal` aborts, all of them end, and what runs rejects with its reason. */
export function openPagePool(options: PagePoolOptions, pageCount: number) {
  const { concurrency, signal } = options;
  const pool = options.createPool({
    script: pathToFileURL(builtFile("page-thread.js")),
    workerData: options.data,
    size: Math.max(1, Math.min(concurrency ?? 1, pageCount)),
    deadlineMs: options.pageTimeoutMs,
    onCall: options.onCall,
  });
  const threads = concurrency === undefined ? createThreadCount(availableParallelism()) : undefined;
  const stop = (): void => void pool.close(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  const running = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  return {
    /**
     * A task that misses its deadline is tried once more, after those that wait: by then, the code that pages need is
     * compiled.
     */
    async run(task: PageTask): Promise<TaskOutcome<PageResult>> {
      const outcome = await pool.run(task);
      return !outcome.ok && outcome.lost === "deadline" ? pool.run(task) : outcome;
    },
    /** Starts each task as soon as the pool has room; waits for all. */
    async runAll(tasks: Iterable<() => Promise<void>> | AsyncIterable<() => Promise<void>>): Promise<void> {
      signal?.throwIfAborted();
      for await (const start of tasks) {
        if (failure) break;
        const one = start().then(
          () => void running.delete(one),
          (error: unknown) => {
            failure ??= { error };
          },
        );
        running.add(one);
        await pool.onRoom();
      }
      if (!failure) await Promise.all(running);
      if (failure) throw failure.error;
    },
    /** Call it after each page: more pages may be worth another thread. */
    growAfter(timings: PageResult["timings"], pagesLeft: number): void {
      if (threads) pool.grow(threads.after(sumOf(timings), pagesLeft));
    },
    async close(): Promise<void> {
      signal?.removeEventListener("abort", stop);
      await pool.close();
      await Promise.allSettled(running);
    },
  };
}

const sumOf = (timings: PageResult["timings"]): number => Object.values(timings).reduce((sum, ms) => sum + ms, 0);
