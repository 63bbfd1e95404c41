import { type CharSet, noChar, union } from "./char-set.js";
import { prunePattern } from "./emit-pattern.js";
import { type Line, type LineRegex, ParsedRegex, type Range, TranslatedRegex } from "./line-regex.js";
import { parsePattern } from "./parse-pattern.js";

/**
 * Searches lines of code for the patterns of grammars. It is fast for many short blocks:
 *
 * - patterns are native regular expressions for ASCII text (see `toAscii`), compiled on first use;
 * - a pattern that needs letters which the line lacks is not tried;
 * - rules that list the same pattern share its match on a line.
 */
export interface Engine {
  /**
   * @param groups numbers of the groups whose ranges are needed; 0, the whole match, is always included.
   * @param isFilled whether the source contains text of the code: there may be any number of such patterns.
   */
  pattern(source: string, groups: readonly number[], isFilled?: boolean): Pattern;
  scanner(patterns: readonly Pattern[]): Scanner;
}

export function createEngine(limits: { readonly maxSearchesPerLine: number }): Engine {
  const ofGrammars = new Map<string, Pattern>();
  const filled = new Map<string, Pattern>();
  return {
    pattern(source, groups, isFilled = false) {
      const patterns = isFilled ? filled : ofGrammars;
      let pattern = patterns.get(source);
      if (!pattern) {
        if (filled.size >= maxFilled) filled.clear();
        pattern = new Pattern(source);
        patterns.set(source, pattern);
      }
      pattern.note(groups);
      return pattern;
    },
    scanner: (list) => new Scanner(list, limits.maxSearchesPerLine),
  };
}

/** Limit of cached patterns with text of the code, such as the ends of raw strings. Each takes up to 20 kB. */
const maxFilled = 500;

/** Thrown when a line takes too many steps; its block is then shown without colours. */
export class TooManySearches extends Error {}

/** A match of `pattern`, which stays readable until the pattern is searched again. */
export interface Match {
  /** Index of the pattern in the scanner's list. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly pattern: Pattern;
}

export class Scanner {
  /** The current line, and the patterns that may still match on it: all of them before the first search. */
  private line: Line | undefined;
  private readonly live: number[] = [];
  /** The characters each pattern can begin with, four words for each. In one array, they are read much faster. */
  private firsts: Int32Array | undefined;

  constructor(
    private readonly patterns: readonly Pattern[],
    private readonly maxSearchesPerLine: number,
  ) {}

  /** The earliest match from `start` on, of the first pattern. `start` never decreases on a line. */
  find(line: Line, start: number): Match | undefined {
    if (++line.searches > this.maxSearchesPerLine) throw new TooManySearches();
    const { patterns, live } = this;
    if (this.line !== line) this.begin(line);
    let bestIndex = -1;
    let bestAt = Infinity;
    let liveCount = 0;
    for (let i = 0; i < live.length; i++) {
      const index = live[i]!;
      const pattern = patterns[index]!;
      const at = pattern.foundAt(line, start, bestAt);
      if (at === -1 && pattern.lasting) continue;
      live[liveCount++] = index;
      if (at === -1 || at >= bestAt) continue;
      bestIndex = index;
      bestAt = at;
      if (at > start) continue;
      // No match can come earlier, so the remaining patterns are not tried.
      while (++i < live.length) live[liveCount++] = live[i]!;
    }
    live.length = liveCount;
    if (bestIndex === -1) return undefined;
    const pattern = patterns[bestIndex]!;
    return { index: bestIndex, start: bestAt, end: pattern.matchEnd(), pattern };
  }

  private begin(line: Line): void {
    const { patterns, live } = this;
    this.line = line;
    live.length = 0;
    this.firsts ??= Int32Array.from(patterns.flatMap((pattern) => pattern.first()));
    const { firsts } = this;
    const [a, b, c, d] = line.chars;
    for (let i = 0, at = 0; i < patterns.length; i++, at += 4) {
      const common = (firsts[at]! & a) | (firsts[at + 1]! & b) | (firsts[at + 2]! & c) | (firsts[at + 3]! & d);
      if (common !== 0 && patterns[i]!.mayMatchOn(line)) live.push(i);
    }
  }
}

/** A pattern of a grammar with its last match. */
export class Pattern {
  /** Whether a search that finds nothing rules out matches of later searches on the line. */
  lasting = true;
  private line: Line | undefined;
  private searchedFrom = 0;
  private found = -1;
  private ready = false;
  private regex: LineRegex | undefined;
  /** The pattern for the start of a search, if it contains `\G`. */
  private atStart: LineRegex | undefined;
  private hasStartAnchor = false;
  private foundAtStart = false;
  private readonly captured = new Set<number>();

  constructor(private readonly source: string) {}

  /** Characters a match can begin with. */
  first(): CharSet {
    if (!this.ready) this.prepare();
    return union(this.regex?.first ?? noChar, this.atStart?.first ?? noChar);
  }

  /** Whether the pattern can match on a line. `first` must have been called before. */
  mayMatchOn(line: Line): boolean {
    return this.regex?.mayMatch(line) || this.atStart?.mayMatch(line) || false;
  }

  /** The position of the first match from `start` on, or -1. One at `before` or later may be reported as `Infinity`. */
  foundAt(line: Line, start: number, before: number): number {
    this.foundAtStart = this.atStart?.find(line, start) === start;
    if (this.foundAtStart) return start;
    const { regex } = this;
    if (!regex) return -1;
    const from = this.hasStartAnchor ? start + 1 : start;
    const isKnown =
      this.line === line && this.searchedFrom <= from && (this.found === -1 || this.found >= from) && regex.isLasting;
    if (isKnown) return this.found;
    const candidate = this.atStart === undefined || regex.mayMatch(line) ? regex.candidate(line, from) : -1;
    if (candidate >= before) return Infinity;
    this.line = line;
    this.searchedFrom = from;
    this.found = candidate === -1 ? -1 : regex.find(line, candidate);
    return this.found;
  }

  /** The end of the match that `foundAt` found last. */
  matchEnd(): number {
    return (this.foundAtStart ? this.atStart! : this.regex!).matchEnd();
  }

  /** The match that `foundAt` found last, then its groups. */
  groups(): Range[] {
    return (this.foundAtStart ? this.atStart! : this.regex!).groups();
  }

  /** Captures these groups from now on. Each group makes a search slower. */
  note(groups: readonly number[]): void {
    const before = this.captured.size;
    for (const group of groups) if (group > 0) this.captured.add(group);
    if (this.captured.size === before) return;
    this.line = undefined;
    this.regex?.recompile();
    this.atStart?.recompile();
  }

  private prepare(): void {
    this.ready = true;
    this.hasStartAnchor = this.source.includes("\\G");
    const parsed = parsePattern(this.source);
    if (!parsed) {
      this.regex = new TranslatedRegex(this.source);
      this.lasting = this.regex.isLasting;
      this.hasStartAnchor = false;
      return;
    }
    const { root } = parsed;
    const elsewhere = prunePattern(root, false);
    if (elsewhere) this.regex = new ParsedRegex(elsewhere, parsed, "g", this.captured);
    if (!this.hasStartAnchor) return;
    this.lasting = false;
    const atStart = prunePattern(root, true);
    if (atStart) this.atStart = new ParsedRegex(atStart, parsed, "y", this.captured);
  }
}
