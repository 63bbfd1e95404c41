// A worker thread that makes the pages of a preview. The main thread sends a task when the site has changed.
import { serveTasks } from "../../lib/queue/index.js";
import { createPageTask } from "./page-task.js";
import type { PageResult, PageTask, PageThreadData } from "./thread-messages.js";

export type SessionTask =
  | PageTask
  /** Forgets every text. @param data of the site, if it has a new plan @param records whether pages are recorded for the search */
  | { readonly kind: "start"; readonly data?: PageThreadData; readonly records: boolean };

/** Undefined: started; or the thread is new and has no site yet. */
export type SessionResult = PageResult | undefined;

serveTasks<SessionTask, SessionResult>((call, wait, spend) => {
  let data: PageThreadData | undefined;
  let makePage: ReturnType<typeof createPageTask> | undefined;
  return async (task) => {
    if (task.kind !== "start") return (await makePage)?.(task);
    data = task.data ?? data;
    if (data === undefined) return undefined;
    const { scratch, ...rest } = data;
    makePage = createPageTask(task.records && scratch !== undefined ? { ...rest, scratch } : rest, call, wait, spend);
    await makePage;
    return undefined;
  };
});
