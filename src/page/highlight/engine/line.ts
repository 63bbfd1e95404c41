import type { CharSet } from "./char-set.js";
import { lineFingerprint } from "./pattern-needs.js";

/** A line with its newline, or the part of one that a capture's rule reads again. */
export class Line {
  readonly bits: Int32Array;
  readonly chars: CharSet;
  searches = 0;

  constructor(readonly content: string) {
    const { bits, chars } = lineFingerprint(content);
    this.bits = bits;
    this.chars = chars;
  }
}

/** The range of a group; both 0 if it did not take part. */
export interface Range {
  readonly start: number;
  readonly end: number;
}
