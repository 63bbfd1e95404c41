import { availableParallelism } from "node:os";
import { pathToFileURL } from "node:url";
import type { Diagnostic } from "../lib/diagnostic/index.js";
import { builtFile } from "../lib/package-root.js";
import { createThreadCount, createWorkerPool, type TaskOutcome, type WorkerPoolOptions } from "../lib/queue/index.js";
import type { PageRecord, PageResult } from "./page-result.js";
import type { PageTask, PageThreadData } from "./page-task.js";

export interface RenderPagesOptions {
  readonly data: PageThreadData;
  /** Pages at once, from 1; where nothing is said, as many as cores if there is work enough. */
  readonly concurrency: number | undefined;
  readonly pageTimeoutMs: number;
  /** Answers what threads ask for. */
  readonly onCall: NonNullable<WorkerPoolOptions["onCall"]>;
  /** Called after each page with the number of pages done, the page and its result. */
  readonly onPage: (done: number, page: number, result: PageResult) => void;
  readonly signal?: AbortSignal;
}

/**
 * Renders every page of the site in worker threads, and what stands once beside them. The results come in the order of
 * the pages; the last one is that of the 404 page and the large sidebars.
 *
 * Fails: a page that takes its thread down, or misses its deadline, is exported as an error page.
 * Stops: once `signal` aborts, ends all threads and rejects with its reason.
 */
export async function renderPages(options: RenderPagesOptions): Promise<PageRecord[]> {
  const { data, concurrency, signal } = options;
  const { pages } = data.site;
  const pool = createWorkerPool<PageTask, PageResult>({
    script: pathToFileURL(builtFile("page-thread.js")),
    workerData: data,
    size: Math.min(concurrency ?? 1, pages.length),
    deadlineMs: options.pageTimeoutMs,
    onCall: options.onCall,
  });
  const threads = concurrency === undefined ? createThreadCount(availableParallelism()) : undefined;
  const stop = (): void => void pool.close(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });

  const results: PageRecord[] = new Array(pages.length + 1);
  const running = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  let done = 0;

  const renderFrame = async (): Promise<void> => {
    const outcome = await pool.run({ kind: "frame" });
    if (!outcome.ok) throw new Error(`The 404 page could not be made: ${outcome.reason}`);
    results[pages.length] = recordOf(outcome.result);
  };
  const renderOne = async (index: number): Promise<void> => {
    const { sourcePath } = pages[index]!;
    let outcome = await pool.run({ kind: "page", index });
    if (!outcome.ok) outcome = await pool.run({ kind: "page", index, lost: lostPage(sourcePath, outcome) });
    if (!outcome.ok) throw new Error(`The error page of ${sourcePath} failed too: ${outcome.reason}`);
    results[index] = recordOf(outcome.result);
    options.onPage(++done, index, outcome.result);
    if (threads) pool.grow(threads.after(sumOf(outcome.result.timings), pages.length - done));
  };

  try {
    signal?.throwIfAborted();
    for (let index = 0; index <= pages.length && !failure; index++) {
      const one = (index === pages.length ? renderFrame() : renderOne(index)).then(
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
    return results;
  } finally {
    signal?.removeEventListener("abort", stop);
    await pool.close();
    await Promise.allSettled(running);
  }
}

const recordOf = (result: PageResult): PageRecord => ({
  files: result.files,
  ids: result.ids,
  anchorsWanted: shared(result.anchorsWanted),
  external: shared(result.external),
  diagnostics: shared(result.diagnostics),
  stylesheets: shared(result.stylesheets),
});
const sumOf = (timings: PageResult["timings"]): number => Object.values(timings).reduce((sum, ms) => sum + ms, 0);
const none: readonly never[] = [];
const shared = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? none : list);

function lostPage(sourcePath: string, outcome: Extract<TaskOutcome<unknown>, { ok: false }>): Diagnostic {
  const location = { sourcePath };
  if (outcome.lost === "deadline")
    return {
      code: "PAGE_TOO_SLOW",
      severity: "error",
      what: `The page was not rendered in time. ${outcome.reason}`,
      location,
      fix: "make the page smaller, or nest less in it.",
    };
  return {
    code: "PAGE_FAILED",
    severity: "error",
    what: `Rendering the page ended its thread (${outcome.reason}).`,
    location,
    fix: "this is a bug of Offprint: please report it with the page.",
  };
}
