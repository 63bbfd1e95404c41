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

/**
 * Replaces a line by ASCII characters of the same length: letters by a letter, blanks by a blank, anything else by a
 * character that no grammar uses. Grammars distinguish almost nothing beyond ASCII, and ASCII-only regular expressions
 * are several times smaller and faster.
 */
export function toAscii(line: string): string {
  if (!beyondAscii.test(line)) return line;
  return line.replace(beyondAsciiRuns, (run) => {
    let out = "";
    for (const char of run)
      out += (isUpper.test(char) ? "Z" : isWord.test(char) ? "z" : isBlank.test(char) ? " " : "\x7f").repeat(
        char.length,
      );
    return out;
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is intended.
const beyondAscii = /[^\x00-\x7f]/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is intended.
const beyondAsciiRuns = /[^\x00-\x7f]+/g;
const isUpper = /\p{Lu}/u;
const isWord = /[\p{L}\p{M}\p{N}]/u;
const isBlank = /\s/;
