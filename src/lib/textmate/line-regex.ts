import { defaultJavaScriptRegexConstructor } from "shiki/engine/javascript";
import { anyChar, type CharSet, has } from "./char-set.js";
import { emitPattern } from "./emit-pattern.js";
import { lineFingerprint, PatternNeeds } from "./pattern-needs.js";
import type { ParsedPattern, PatternNode } from "./pattern-node.js";

const absent: Range = { start: 0, end: 0 };

/** A pattern as a regular expression for lines of ASCII text. It is compiled when it is first searched. */
export abstract class LineRegex {
  /** Whether a search that finds nothing rules out matches of later searches on the line. */
  abstract readonly isLasting: boolean;
  /** Characters a match can begin with; `anyChar` if nothing is known. */
  abstract readonly first: CharSet;
  protected regex: RegExp | undefined;
  protected match: RegExpExecArray | null = null;

  /** The start of the first match from `start` on, or -1. */
  find(line: Line, start: number): number {
    this.regex ??= this.compile();
    this.regex.lastIndex = start;
    this.match = this.regex.exec(line.content);
    return this.match ? this.match.index : -1;
  }

  /** End of the last match. */
  matchEnd(): number {
    return this.match!.index + this.match![0].length;
  }

  /** Compiles the pattern again before the next search, since the captured groups changed. */
  recompile(): void {
    this.regex = undefined;
  }

  abstract mayMatch(line: Line): boolean;
  /** The first position from `start` on at which a match can begin, or -1. Much faster than a search. */
  abstract candidate(line: Line, start: number): number;
  /** The last match, then its groups. */
  abstract groups(): Range[];
  protected abstract compile(): RegExp;
}

/** A pattern that this engine has parsed. */
export class ParsedRegex extends LineRegex {
  readonly isLasting = true;
  readonly first: CharSet;
  private readonly needs: PatternNeeds;
  /** The line that was last asked about, and the answer: many rules list the same pattern. */
  private askedLine: Line | undefined;
  private mayMatchAsked = false;
  private groupNumbers: readonly number[] = [];

  constructor(
    private readonly root: PatternNode,
    private readonly parsed: ParsedPattern,
    /** `y` matches only at the start of a search. */
    private readonly flag: "g" | "y",
    private readonly captured: ReadonlySet<number>,
  ) {
    super();
    this.needs = new PatternNeeds(root);
    this.first = this.needs.first;
  }

  mayMatch(line: Line): boolean {
    if (line !== this.askedLine) {
      this.askedLine = line;
      this.mayMatchAsked = this.needs.allow(line.bits, line.chars);
    }
    return this.mayMatchAsked;
  }

  candidate({ content }: Line, start: number): number {
    const { first } = this;
    if (first === anyChar) return start;
    let at = start;
    while (at < content.length && !has(first, content.charCodeAt(at))) at++;
    return at < content.length ? at : -1;
  }

  groups(): Range[] {
    const { index, indices } = this.match!;
    const ranges: Range[] = [{ start: index, end: this.matchEnd() }];
    for (const group of this.groupNumbers) {
      const range = group === 0 ? undefined : indices![group];
      ranges.push(range ? { start: range[0], end: range[1] } : absent);
    }
    return ranges;
  }

  protected compile(): RegExp {
    const { source, groups } = emitPattern(this.root, this.parsed, this.captured);
    this.groupNumbers = groups;
    return new RegExp(source, groups.some((group) => group > 0) ? `${this.flag}d` : this.flag);
  }
}

/** One of the few patterns that only Shiki's translation supports, such as absent groups. It captures all its groups. */
export class TranslatedRegex extends LineRegex {
  readonly isLasting: boolean;
  readonly first = anyChar;
  private isInvalid = false;

  constructor(private readonly source: string) {
    super();
    this.isLasting = !source.includes("\\G");
  }

  /** An invalid pattern is a mistake in the grammar: its rule never applies. */
  mayMatch(): boolean {
    if (!this.regex && !this.isInvalid)
      try {
        this.regex = this.compile();
      } catch {
        this.isInvalid = true;
      }
    return !this.isInvalid;
  }

  candidate(_: Line, start: number): number {
    return this.mayMatch() ? start : -1;
  }

  groups(): Range[] {
    return Array.from(this.match!.indices!, (range) => (range ? { start: range[0], end: range[1] } : absent));
  }

  protected compile(): RegExp {
    return defaultJavaScriptRegexConstructor(this.source);
  }
}

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
