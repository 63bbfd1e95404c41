import type { CheckOptions, CheckResult } from "../export/index.js";
import type { Diagnostic } from "../lib/diagnostic/index.js";

export interface RepairOptions extends Pick<CheckOptions, "cacheFolder" | "signal"> {
  /** The site: the folder that holds docs.json or mint.json. It is only read. */
  readonly folder: string;
  /** Repair only faults with these codes. Default: all. */
  readonly codes?: readonly string[] | undefined;
  /** Why a file must not be changed, as a sentence; undefined if it may be. Default: all files may be changed. */
  readonly refusal?: ((path: string) => string | undefined) | undefined;
  /** How a copy of the site is checked. Default: `checkSite`. */
  readonly check?: ((options: CheckOptions) => Promise<CheckResult>) | undefined;
}

/** A file that the repair changes, adds or removes. */
export interface ChangedFile {
  /** Relative to the site, with `/`. */
  readonly path: string;
  /** As it was read; undefined for a new file. */
  readonly before: Uint8Array | undefined;
  /** Undefined for a file that is removed. */
  readonly after: Uint8Array | undefined;
}

/** A fault with a proposed edit that was not made. */
export interface Proposal {
  readonly diagnostic: Diagnostic;
  /** Why it was not repaired, as a sentence. */
  readonly why: string;
}

export interface Repair {
  /** Sorted by path. Empty if there is nothing to repair. */
  readonly changedFiles: readonly ChangedFile[];
  /** The repaired faults. */
  readonly mended: readonly Diagnostic[];
  /** The faults whose proposed edits were not made. */
  readonly proposed: readonly Proposal[];
  /** Faults of the repaired site, as `checkSite` reports them. */
  readonly remaining: readonly Diagnostic[];
  /** Rounds that changed something; at most five. */
  readonly rounds: number;
}

export interface WrittenRepair {
  readonly written: readonly string[];
  /** Files that were not changed, with the reason as a sentence. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}
