import { defaultJavaScriptRegexConstructor } from "shiki/engine/javascript";
import type { RegexEngine } from "shiki/types";
import type { CharSet } from "./char-set.js";
import { emitPattern, prunePattern } from "./emit-pattern.js";
import { type PatternNode, parsePattern } from "./parse-pattern.js";
import { lineFingerprint, mayMatch, type PatternNeeds, patternNeeds } from "./pattern-needs.js";

/**
 * A regular expression engine for Shiki's grammars, made for many short blocks of code:
 *
 * - patterns are native regular expressions for ASCII text (see `standIn`), compiled when first needed;
 * - a pattern that a line can not match, by its letters, is not tried;
 * - what a pattern found on a line is remembered for every rule that lists the pattern.
 */
export function createEngine(limits: { readonly maxSearchesPerLine: number }): RegexEngine {
  const patterns = new Map<string, Pattern>();
  const patternOf = (source: string): Pattern => {
    let pattern = patterns.get(source);
    if (!pattern) {
      pattern = new Pattern(source);
      patterns.set(source, pattern);
    }
    return pattern;
  };
  return {
    createScanner: (sources) =>
      new Scanner(
        sources.map((source) => patternOf(typeof source === "string" ? source : source.source)),
        limits.maxSearchesPerLine,
      ),
    createString: (content) => new Line(content),
  };
}

/** Thrown when a line takes too many steps: its block is shown without colours. */
export class TooManySearches extends Error {}

/** One line (or the part of one that a rule looks at again), its newline included. */
class Line {
  readonly bits: Int32Array;
  readonly chars: CharSet;
  searches = 0;

  constructor(readonly content: string) {
    const { bits, chars } = lineFingerprint(content);
    this.bits = bits;
    this.chars = chars;
  }
}

interface Match {
  readonly index: number;
  readonly captureIndices: { start: number; end: number; length: number }[];
}

class Scanner {
  /** The line in hand, and the patterns that may still match on it: all before the first search. */
  private line: Line | undefined;
  private readonly live: number[] = [];

  constructor(
    private readonly patterns: readonly Pattern[],
    private readonly maxSearchesPerLine: number,
  ) {}

  findNextMatchSync(line: string | Line, start: number): Match | null {
    // vscode-textmate always hands over what `createString` made, and never goes back on a line.
    const text = line as Line;
    if (++text.searches > this.maxSearchesPerLine) throw new TooManySearches();
    const { patterns, live } = this;
    if (this.line !== text) {
      this.line = text;
      live.length = 0;
      for (let i = 0; i < patterns.length; i++) if (patterns[i]!.mayMatchOn(text)) live.push(i);
    }
    let bestIndex = -1;
    let bestAt = Infinity;
    let kept = 0;
    for (let i = 0; i < live.length; i++) {
      const index = live[i]!;
      const pattern = patterns[index]!;
      const at = pattern.foundAt(text, start);
      if (at === -1 && pattern.lasting) continue;
      live[kept++] = index;
      if (at === -1 || at >= bestAt) continue;
      bestIndex = index;
      bestAt = at;
      if (at > start) continue;
      // Nothing can come before; the rest has not been asked and stays.
      while (++i < live.length) live[kept++] = live[i]!;
    }
    live.length = kept;
    return bestIndex === -1 ? null : { index: bestIndex, captureIndices: patterns[bestIndex]!.captures() };
  }
}

/** A pattern of a grammar with what it last found. */
class Pattern {
  /** Found nothing once, it finds nothing further on. */
  lasting = true;
  private line: Line | undefined;
  private searchedFrom = 0;
  private found = -1;
  private ready = false;
  private regex: LineRegex | undefined;
  /** If the pattern speaks of the place where the search begins (`\G`): its meaning there. */
  private atStart: LineRegex | undefined;
  private speaksOfStart = false;
  private foundAtStart = false;

  constructor(private readonly source: string) {}

  mayMatchOn(line: Line): boolean {
    if (!this.ready) this.prepare();
    return this.regex?.mayMatch(line) || this.atStart?.mayMatch(line) || false;
  }

  /** Where the pattern first matches from `start` on, or -1. */
  foundAt(line: Line, start: number): number {
    this.foundAtStart = this.atStart?.find(line, start) === start;
    if (this.foundAtStart) return start;
    const { regex } = this;
    if (!regex) return -1;
    const from = this.speaksOfStart ? start + 1 : start;
    const isKnown =
      this.line === line && this.searchedFrom <= from && (this.found === -1 || this.found >= from) && regex.isLasting;
    if (!isKnown) {
      this.line = line;
      this.searchedFrom = from;
      this.found = regex.mayMatch(line) ? regex.find(line, from) : -1;
    }
    return this.found;
  }

  /** The groups of the match that the last `foundAt` found. */
  captures(): Match["captureIndices"] {
    return (this.foundAtStart ? this.atStart! : this.regex!).captures();
  }

  private prepare(): void {
    this.ready = true;
    this.speaksOfStart = this.source.includes("\\G");
    const parsed = parsePattern(this.source);
    if (!parsed) {
      this.regex = new EmulatedRegex(this.source);
      this.lasting = this.regex.isLasting;
      this.speaksOfStart = false;
      return;
    }
    const { root, captureCount } = parsed;
    const elsewhere = prunePattern(root, false);
    if (elsewhere) this.regex = new NativeRegex(elsewhere, captureCount, "g");
    if (!this.speaksOfStart) return;
    this.lasting = false;
    const atStart = prunePattern(root, true);
    if (atStart) this.atStart = new NativeRegex(atStart, captureCount, "y");
  }
}

interface LineRegex {
  /** A search that found nothing holds for every later one on the line. */
  readonly isLasting: boolean;
  mayMatch(line: Line): boolean;
  /** Where the first match from `start` on begins, or -1. */
  find(line: Line, start: number): number;
  /** Groups of the match that was found last. */
  captures(): Match["captureIndices"];
}

/** How the engine's callers mark a group that took no part. */
const absent = { start: 4294967295, end: 4294967295, length: 0 };

class NativeRegex implements LineRegex {
  readonly isLasting = true;
  private readonly needs: PatternNeeds;
  private regex: RegExp | undefined;
  private groups: readonly number[] = [];
  private match: RegExpExecArray | null = null;

  constructor(
    private readonly root: PatternNode,
    private readonly captureCount: number,
    /** `y` looks at the start of a search alone. */
    private readonly flag: "g" | "y",
  ) {
    this.needs = patternNeeds(root);
  }

  mayMatch(line: Line): boolean {
    return mayMatch(this.needs, line.bits, line.chars);
  }

  find(line: Line, start: number): number {
    this.regex ??= this.compile();
    this.regex.lastIndex = start;
    this.match = this.regex.exec(line.content);
    return this.match ? this.match.index : -1;
  }

  captures(): Match["captureIndices"] {
    const match = this.match!;
    const start = match.index;
    const { length } = match[0];
    const result = [{ start, end: start + length, length }];
    for (const group of this.groups) {
      const range = group === 0 ? undefined : match.indices![group];
      result.push(range ? { start: range[0], end: range[1], length: range[1] - range[0] } : absent);
    }
    return result;
  }

  private compile(): RegExp {
    const { source, groups } = emitPattern(this.root, this.captureCount);
    this.groups = groups;
    return new RegExp(source, groups.some((group) => group > 0) ? `${this.flag}d` : this.flag);
  }
}

/** For the few patterns that only Shiki's own translation knows, such as absent groups. */
class EmulatedRegex implements LineRegex {
  readonly isLasting: boolean;
  private readonly regex: RegExp | undefined;
  private match: RegExpExecArray | null = null;

  constructor(source: string) {
    this.isLasting = !source.includes("\\G");
    try {
      this.regex = defaultJavaScriptRegexConstructor(source);
    } catch {
      // Not a regular expression in any reading: a fault of the grammar, whose rule then never applies.
    }
  }

  mayMatch(): boolean {
    return this.regex !== undefined;
  }

  find(line: Line, start: number): number {
    if (!this.regex) return -1;
    this.regex.lastIndex = start;
    this.match = this.regex.exec(line.content);
    return this.match ? this.match.index : -1;
  }

  captures(): Match["captureIndices"] {
    return Array.from(this.match!.indices!, (range) =>
      range ? { start: range[0], end: range[1], length: range[1] - range[0] } : absent,
    );
  }
}
