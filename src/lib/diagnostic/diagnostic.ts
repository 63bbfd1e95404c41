/** A place in a site's source. Lines and columns count from 1; without them the whole file is meant. */
export interface Location {
  /** File relative to the site folder, with `/` on every system. */
  readonly sourcePath: string;
  readonly line?: number;
  /** In UTF-16 code units, as editors count. */
  readonly column?: number;
  /** Length of the faulty text on that line, in UTF-16 code units; 1 where unknown. */
  readonly length?: number;
}

/** A fault in a site: a value that is collected, never thrown, and printed the same way everywhere. */
export interface Diagnostic {
  /** Stable and searchable: `PAGE_NOT_FOUND`. */
  readonly code: string;
  /** An error is something a reader of the site would miss; a warning is something the writer should know. */
  readonly severity: "error" | "warning";
  /** The fact in one sentence or two, with the value seen and the value wanted. */
  readonly what: string;
  readonly location?: Location;
  /** What to do, as the text to type where it can be computed. */
  readonly fix: string;
}
