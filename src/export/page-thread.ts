// A worker thread that makes pages.
import { workerData } from "node:worker_threads";
import { serveTasks } from "../lib/queue/index.js";
import type { PageResult } from "./page-result.js";
import { createPageTask } from "./page-task.js";
import type { PageTask, PageThreadData } from "./page-thread-data.js";

serveTasks<PageTask, PageResult>((call, wait, spend) =>
  createPageTask(workerData as PageThreadData, call, wait, spend),
);
