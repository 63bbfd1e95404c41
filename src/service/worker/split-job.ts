import { setTimeout as sleep } from "node:timers/promises";
import type { PagePart } from "../../export/index.js";
import type { Log } from "../../lib/log.js";
import type { JobStore, Lease, ShardStore } from "../jobs/index.js";
import type { JobCache } from "./job-cache.js";
import type { ExportStep, TaskAnswers } from "./messages.js";

export interface SplitDeps {
  readonly store: { readonly jobs: JobStore; readonly shards: ShardStore };
  /** Number of pages to render from which other workers help; 0: never. */
  readonly splitAbove: number;
  readonly log: Log;
}

/** More parts than workers, so that a slower worker takes fewer of them. */
const partsPerWorker = 4;
const minPagesOfPart = 5;
/** Share of an export's progress that the pages take. */
const pagesShare = 74;
const waitMs = 250;

/**
 * Lets other workers help with a job. The job's own worker renders parts, too, and collects those that others have
 * rendered. If the database fails, it renders the rest alone. Undefined if nobody can help, since pages reach other
 * workers only through the shared cache.
 */
export function splitJob(lease: Lease, signal: AbortSignal, cache: JobCache, deps: SplitDeps) {
  const { store, splitAbove, log } = deps;
  const { jobs, shards } = store;
  const { jobId } = lease.job;
  if (splitAbove === 0 || !cache.isShared) return undefined;
  let total = 0;
  let others = 0;

  const split = async (missing: number, pages: number): Promise<number | undefined> => {
    if (missing < splitAbove) return undefined;
    const { workers } = await jobs.counts();
    const count = Math.min(workers * partsPerWorker, Math.ceil(missing / minPagesOfPart));
    if (workers < 2 || count < 2 || !(await shards.split(lease, count))) return undefined;
    total = pages;
    void watch();
    log("info", "job split", { jobId, pages, missing, parts: count, workers });
    return count;
  };
  const next = async (): Promise<PagePart | undefined> => {
    for (;;) {
      signal.throwIfAborted();
      const step = await shards.next(lease);
      if (step.kind === "end") return undefined;
      if (step.kind === "make") return { index: step.index };
      if (step.kind === "made") return { index: step.index, files: await cache.fetchLater() };
      await sleep(waitMs, undefined, { signal });
    }
  };
  const watch = async (): Promise<void> => {
    while (!signal.aborted && total > 0) {
      others = await shards.pagesOfOthers(jobId).catch(() => others);
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
    }
  };

  const goOnAlone = (error: unknown): undefined => {
    signal.throwIfAborted();
    log("warn", "the job continues without other workers", { jobId, error: String(error) });
  };

  return {
    answers: {
      split: ({ missing, pages }) => split(missing, pages).catch(goOnAlone),
      "next part": () => next().catch(goOnAlone),
    } satisfies TaskAnswers,
    /** The progress of the job: the pages of this worker and those of the others. */
    withOthers: ({ progress, pageCount }: ExportStep): ExportStep =>
      total === 0
        ? { progress, pageCount }
        : {
            progress: progress + (pagesShare * Math.min(others, total - pageCount)) / total,
            pageCount: Math.min(total, pageCount + others),
          },
    close(): void {
      total = 0;
    },
  };
}
