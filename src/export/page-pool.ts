import { availableParallelism } from "node:os";
import { pathToFileURL } from "node:url";
import { builtFile } from "../lib/package-root.js";
import { createThreadCount, type TaskOutcome, type WorkerPoolOptions } from "../lib/queue/index.js";
import type { PagePool } from "./outside-world.js";
import type { PageResult } from "./page-result.js";
import type { PageTask, PageThreadData } from "./page-thread-data.js";

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
