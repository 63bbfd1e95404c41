import type { AnalyticsOptions, AssistantOptions } from "../../export/index.js";

export interface TaskDeps {
  /** Resident memory at which an export's process gives up, in MiB. */
  readonly maxMemoryMb: number;
  /** Pages that one export renders at once; undefined: one per core. */
  readonly pagesAtOnce?: number;
  /** The assistant that the pages of exports ask; not those of air-gapped projects, which may not reach it. */
  readonly assistant?: Pick<AssistantOptions, "url" | "key">;
  /** The service that the pages of exports tell of their views. */
  readonly analytics?: Pick<AnalyticsOptions, "url" | "searches">;
}
