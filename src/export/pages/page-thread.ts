// A worker thread that makes pages. An export starts it with the data of its site; a preview sends the data again whenever
// the site has changed.
import { workerData } from "node:worker_threads";
import { serveTasks } from "../../lib/queue/serve-tasks.js";
import { createPageTask } from "./page-task.js";
import type { PageResult, PageTask, PageThreadData, StartTask } from "./thread-messages.js";

/** Undefined: started; or the thread of a preview is new and has no site yet. */
type Result = PageResult | undefined;

serveTasks<PageTask | StartTask, Result>(async (call, wait, spend) => {
  let data = (workerData ?? undefined) as PageThreadData | undefined;
  let makePage = data && (await createPageTask(data, call, wait, spend));
  return async (task) => {
    if (task.kind !== "start") return makePage?.(task);
    data = task.data ?? data;
    if (data === undefined) return undefined;
    data = { ...data, texts: task.texts };
    makePage = await createPageTask(data, call, wait, spend);
    return undefined;
  };
});
