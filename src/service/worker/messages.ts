import type { Deployment } from "../../export/index.js";

/** What the worker's process and a child of it say to each other; everything is JSON. */
export type ToChild = { readonly type: "export"; readonly task: ExportTask };

export type FromChild =
  /** The engine is loaded. */
  | { readonly type: "ready" }
  | ({ readonly type: "progress" } & ExportStep)
  | { readonly type: "ended"; readonly outcome: ExportOutcome };

export interface ExportTask {
  /** Folder of the site. */
  readonly source: string;
  /** File to write, ending in `.tar.gz`. */
  readonly archive: string;
  readonly deployment: Deployment;
  /** Where the site stands if its own settings do not say so. */
  readonly fallbackBaseUrl: string;
  readonly paths?: readonly string[];
  readonly cacheFolder: string;
  /** Pages rendered at once; undefined: as many as there are cores. */
  readonly concurrency?: number;
}

export interface ExportStep {
  /** 0 to 100. */
  readonly progress: number;
  readonly pageCount: number;
}

export type ExportOutcome =
  | { readonly kind: "exported"; readonly bytes: number; readonly sha256: string; readonly pageCount: number }
  /** The site cannot be exported; `faults` are written for whoever reads the job. */
  | { readonly kind: "refused"; readonly faults: string }
  /** `code` is the system's: `ENOSPC`. Undefined: it is our bug. */
  | { readonly kind: "broken"; readonly code?: string; readonly message: string; readonly stack: string };
