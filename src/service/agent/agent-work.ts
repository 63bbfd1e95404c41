import type { Ending } from "./model/model-task.js";

/** What was changed in the files of a site, and what the checks before and after it found. */
export interface AgentWork {
  readonly changes: readonly FileChange[];
  readonly before: FaultCounts;
  readonly after: FaultCounts;
  /** Faults that are gone, by code. */
  readonly mended: Readonly<Record<string, number>>;
  /** Faults that a person must decide about. */
  readonly proposals: readonly WorkProposal[];
  /** What the model says that it did; Markdown that nobody has checked. */
  readonly words?: string;
  /** The budget that was used up. */
  readonly ended?: Ending;
  /** Files whose changes were taken back, since they would have brought new faults. */
  readonly undone?: readonly string[];
}

export interface FileChange {
  /** The changes of the prompt come first, and those of the repair start from them. Each is a commit of its own. */
  readonly by: "prompt" | "repair";
  /** Relative to the site, with `/`. */
  readonly path: string;
  /** Undefined: the file is removed. */
  readonly content: Uint8Array | undefined;
}

export interface FaultCounts {
  readonly errors: number;
  readonly warnings: number;
}

export interface WorkProposal {
  readonly code: string;
  /** File and line. */
  readonly at: string;
  readonly what: string;
  readonly why: string;
}
