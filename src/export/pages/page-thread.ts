// A worker thread that makes pages.
import { workerData } from "node:worker_threads";
import { serveTasks } from "../../lib/queue/index.js";
import { createPageTask } from "./page-task.js";
import type { PageResult, PageTask, PageThreadData } from "./thread-messages.js";

serveTasks<PageTask, PageResult>((call, wait, spend) =>
  createPageTask(workerData as PageThreadData, call, wait, spend),
);
