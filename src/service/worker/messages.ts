import type { Deployment } from "../../export/index.js";
import type { Findings } from "./findings.js";

/** JSON messages between the worker and its child process. */
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
  /** Base URL of the site if its settings do not name one. */
  readonly fallbackBaseUrl: string;
  readonly paths?: readonly string[];
  readonly cacheFolder: string;
  /** Pages rendered at once; undefined: one per core. */
  readonly concurrency?: number;
}

export interface ExportStep {
  /** 0 to 100. */
  readonly progress: number;
  readonly pageCount: number;
}

export type ExportOutcome =
  | {
      readonly kind: "exported";
      readonly bytes: number;
      readonly sha256: string;
      readonly pageCount: number;
      readonly pageMs: readonly number[];
      readonly findings: Findings;
    }
  /** The site has errors; `faults` is shown to API clients. */
  | { readonly kind: "refused"; readonly faults: string; readonly findings: Findings }
  /** `code` of a system error, such as `ENOSPC`; undefined: a bug. */
  | { readonly kind: "broken"; readonly code?: string; readonly message: string; readonly stack: string };
