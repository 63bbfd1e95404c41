import {
  type CheckOptions,
  type CheckResult,
  type ExportOptions,
  type ExportResult,
  type exportSite,
  runExport,
} from "../../src/export/index.js";
import { createPageTask } from "../../src/export/pages/page-task.js";
import type { PageResult, PageTask, PageThreadData } from "../../src/export/pages/thread-messages.js";
import type { WorkerPool, WorkerPoolOptions } from "../../src/lib/queue/worker-pool.js";

/** Renders pages like page threads, but in this process and one at a time. Messages are cloned as between threads. */
export function createPoolInProcess(options: WorkerPoolOptions): WorkerPool<PageTask, PageResult> {
  const ready = createPageTask(structuredClone(options.workerData as PageThreadData), async (name, argument) =>
    structuredClone(await options.onCall?.(name, structuredClone(argument))),
  );
  let last: Promise<unknown> = ready;
  return {
    run(task) {
      const made = last.then(async () => ({ ok: true, result: structuredClone(await (await ready)(task)) }) as const);
      last = made;
      return made;
    },
    onRoom: async () => {},
    grow: () => {},
    close: async () => {},
  };
}

/** `exportSite` without threads: starting one takes 0.1 s of processor time, most of the time for a small site. */
export const exportInProcess = ((options: ExportOptions): Promise<ExportResult> =>
  runExport(options, { pagePool: createPoolInProcess })) as typeof exportSite;

/** `checkSite` without threads. */
export const checkInProcess = (options: CheckOptions): Promise<CheckResult> =>
  exportInProcess({ ...options, output: undefined, archive: undefined });
