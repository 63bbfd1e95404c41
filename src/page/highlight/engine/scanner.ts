import { defaultJavaScriptRegexConstructor } from "shiki/engine/javascript";
import type { CharSet } from "./char-set.js";
import { emitPattern, prunePattern } from "./emit-pattern.js";
import { parsePattern } from "./parse-pattern.js";
import { lineFingerprint, PatternNeeds } from "./pattern-needs.js";
import type { ParsedPattern, PatternNode } from "./pattern-node.js";

/**
 * Searches lines of code for the patterns of grammars, made for many short blocks:
 *
 * - patterns are native regular expressions for ASCII text (see `standIn`), compiled when first needed;
 * - a pattern that a line can not match, by its letters, is not tried;
 * - what a pattern found on a line is remembered for every rule that lists the pattern.
 */
export interface Engine {
  /** @param groups numbers of those that will be asked for; 0, the whole match, is always there. */
  pattern(source: string, groups: readonly number[]): Pattern;
  scanner(patterns: readonly Pattern[]): Scanner;
}

export function createEngine(limits: { readonly maxSearchesPerLine: number }): Engine {
  const patterns = new Map<string, Pattern>();
  return {
    pattern(source, groups) {
      let pattern = patterns.get(source);
      if (!pattern) {
        pattern = new Pattern(source);
        patterns.set(source, pattern);
      }
      pattern.note(groups);
      return pattern;
    },
    scanner: (list) => new Scanner(list, limits.maxSearchesPerLine),
  };
}

/** Thrown when a line takes too many steps: its block is shown without colours. */
export class TooManySearches extends Error {}

/** One line (or the part of one that a rule looks at again), its newline included. */
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

/** Where a group matched; both 0 if it took no part. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** What a scanner found: the match of `pattern`, which stays readable until the pattern is searched again. */
export interface Match {
  /** Of the pattern in the scanner's list. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly pattern: Pattern;
}

export class Scanner {
  /** The line in hand, and the patterns that may still match on it: all before the first search. */
  private line: Line | undefined;
  private readonly live: number[] = [];

  constructor(
    private readonly patterns: readonly Pattern[],
    private readonly maxSearchesPerLine: number,
  ) {}

  /** The earliest match from `start` on, of the patterns that match there the first; `start` never goes back on a line. */
  find(line: Line, start: number): Match | undefined {
    if (++line.searches > this.maxSearchesPerLine) throw new TooManySearches();
    const { patterns, live } = this;
    if (this.line !== line) {
      this.line = line;
      live.length = 0;
      for (let i = 0; i < patterns.length; i++) if (patterns[i]!.mayMatchOn(line)) live.push(i);
    }
    let bestIndex = -1;
    let bestAt = Infinity;
    let kept = 0;
    for (let i = 0; i < live.length; i++) {
      const index = live[i]!;
      const pattern = patterns[index]!;
      const at = pattern.foundAt(line, start);
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
    if (bestIndex === -1) return undefined;
    const pattern = patterns[bestIndex]!;
    return { index: bestIndex, start: bestAt, end: pattern.matchEnd(), pattern };
  }
}

/** A pattern of a grammar with what it last found. */
export class Pattern {
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
  private readonly noted = new Set<number>();

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

  /** Where the match ends that the last `foundAt` found. */
  matchEnd(): number {
    return (this.foundAtStart ? this.atStart! : this.regex!).matchEnd();
  }

  /** The match that the last `foundAt` found, then its groups. */
  groups(): Range[] {
    return (this.foundAtStart ? this.atStart! : this.regex!).groups();
  }

  /** Has the places of these groups noted from now on; each makes a search slower. */
  note(groups: readonly number[]): void {
    const before = this.noted.size;
    for (const group of groups) if (group > 0) this.noted.add(group);
    if (this.noted.size === before) return;
    this.line = undefined;
    this.regex?.forget();
    this.atStart?.forget();
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
    const { root } = parsed;
    const elsewhere = prunePattern(root, false);
    if (elsewhere) this.regex = new NativeRegex(elsewhere, parsed, "g", this.noted);
    if (!this.speaksOfStart) return;
    this.lasting = false;
    const atStart = prunePattern(root, true);
    if (atStart) this.atStart = new NativeRegex(atStart, parsed, "y", this.noted);
  }
}

interface LineRegex {
  /** A search that found nothing holds for every later one on the line. */
  readonly isLasting: boolean;
  mayMatch(line: Line): boolean;
  /** Where the first match from `start` on begins, or -1. */
  find(line: Line, start: number): number;
  /** Of the match that was found last. */
  matchEnd(): number;
  groups(): Range[];
  /** Other groups are to be noted than before. */
  forget(): void;
}

const absent: Range = { start: 0, end: 0 };

class NativeRegex implements LineRegex {
  readonly isLasting = true;
  private readonly needs: PatternNeeds;
  private regex: RegExp | undefined;
  private groupNumbers: readonly number[] = [];
  private match: RegExpExecArray | null = null;

  constructor(
    private readonly root: PatternNode,
    private readonly parsed: ParsedPattern,
    /** `y` looks at the start of a search alone. */
    private readonly flag: "g" | "y",
    private readonly noted: ReadonlySet<number>,
  ) {
    this.needs = new PatternNeeds(root);
  }

  mayMatch(line: Line): boolean {
    return this.needs.allow(line.bits, line.chars);
  }

  find(line: Line, start: number): number {
    this.regex ??= this.compile();
    this.regex.lastIndex = start;
    this.match = this.regex.exec(line.content);
    return this.match ? this.match.index : -1;
  }

  matchEnd(): number {
    return this.match!.index + this.match![0].length;
  }

  groups(): Range[] {
    const { index, indices } = this.match!;
    const result: Range[] = [{ start: index, end: this.matchEnd() }];
    for (const group of this.groupNumbers) {
      const range = group === 0 ? undefined : indices![group];
      result.push(range ? { start: range[0], end: range[1] } : absent);
    }
    return result;
  }

  forget(): void {
    this.regex = undefined;
  }

  private compile(): RegExp {
    const { source, groups } = emitPattern(this.root, this.parsed, this.noted);
    this.groupNumbers = groups;
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

  matchEnd(): number {
    return this.match!.index + this.match![0].length;
  }

  groups(): Range[] {
    return Array.from(this.match!.indices!, (range) => (range ? { start: range[0], end: range[1] } : absent));
  }

  /** All are always noted. */
  forget(): void {}
}
