/** What a scan of the source finds before the Markdown parser runs. */

/** A part of the source that the parser sees as a placeholder of the same length (`mask-source.ts`). */
export interface Span {
  readonly kind: "math" | "displayMath" | "variable" | "drop" | "literal" | "tag";
  readonly start: number;
  readonly end: number;
  /** TeX, the variable's name, the text to show, or a tag. */
  readonly value: string;
}
export interface CodeRegion {
  readonly kind: "esm" | "braces" | "tag";
  readonly start: number;
  readonly end: number;
}
export interface Scan {
  /** In order, without overlap. */
  readonly spans: readonly Span[];
  /** `{#id}` of headings, with their line. */
  readonly headingIds: readonly {
    readonly line: number;
    readonly id: string;
    readonly start: number;
    readonly end: number;
  }[];
  /** Offsets of HTML comments. */
  readonly comments: readonly number[];
  /** Code with so many signs that its nesting has to be checked before a recursive parser reads it. */
  readonly dense: readonly CodeRegion[];
}
