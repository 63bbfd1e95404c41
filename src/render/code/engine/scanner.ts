import { defaultJavaScriptRegexConstructor } from "shiki/engine/javascript";
import type { RegexEngine } from "shiki/types";
import type { CharSet } from "./char-set.js";
import { emitPattern, prunePattern } from "./emit-pattern.js";
import { parsePattern } from "./parse-pattern.js";
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
  constructor(
    private readonly patterns: readonly Pattern[],
    private readonly maxSearchesPerLine: number,
  ) {}

  findNextMatchSync(line: string | Line, start: number): Match | null {
    // vscode-textmate always hands over what `createString` made.
    const text = line as Line;
    if (++text.searches > this.maxSearchesPerLine) throw new TooManySearches();
    const { patterns } = this;
    let best: Pattern | undefined;
    let bestIndex = -1;
    let bestAt = Infinity;
    for (let i = 0; i < patterns.length; i++) {
      const pattern = patterns[i]!;
      const at = pattern.foundAt(text, start);
      if (at === -1 || at >= bestAt) continue;
      best = pattern;
      bestIndex = i;
      bestAt = at;
      if (at === start) break;
    }
    return best ? { index: bestIndex, captureIndices: best.capturesAt(text.content, bestAt, start) } : null;
  }
}

/** A pattern of a grammar with what it last found. */
class Pattern {
  private line: Line | undefined;
  private searchedFrom = 0;
  private found = -1;
  private ready = false;
  /** `\G` makes a difference: a match where the search begins is `starting`'s affair. */
  private minds = false;
  private starting: Matcher | undefined;
  private later: Matcher | undefined;

  constructor(private readonly source: string) {}

  /** Where the pattern first matches from `start` on, or -1. */
  foundAt(line: Line, start: number): number {
    if (!this.ready) this.prepare();
    if (this.starting?.matchesAt(line, start)) return start;
    if (!this.later) return -1;
    const from = this.minds ? start + 1 : start;
    if (this.line !== line) {
      this.line = line;
      this.searchedFrom = from;
      this.found = mayMatch(this.later.needs, line.bits, line.chars) ? this.later.find(line.content, from) : -1;
      return this.found;
    }
    const holds = this.later.lasting && this.searchedFrom <= from && (this.found === -1 || this.found >= from);
    if (!holds) {
      this.searchedFrom = from;
      this.found = this.later.find(line.content, from);
    }
    return this.found;
  }

  /** The groups of the match that `foundAt` found at `at`. */
  capturesAt(text: string, at: number, start: number): Match["captureIndices"] {
    const matcher = at === start && this.starting?.captures(text, at);
    return matcher || this.later!.captures(text, at)!;
  }

  private prepare(): void {
    this.ready = true;
    const parsed = parsePattern(this.source);
    if (!parsed) {
      this.later = new EmulatedMatcher(this.source);
      return;
    }
    const later = prunePattern(parsed.root, false);
    if (later) this.later = new NativeMatcher(later, parsed.captureCount);
    if (!this.source.includes("\\G")) return;
    this.minds = true;
    const starting = prunePattern(parsed.root, true);
    if (starting) this.starting = new NativeMatcher(starting, parsed.captureCount);
  }
}

interface Matcher {
  readonly needs: PatternNeeds;
  /** What was found holds for every search that begins before it. */
  readonly lasting: boolean;
  /** Where the first match from `start` on begins, or -1. */
  find(text: string, start: number): number;
  matchesAt(line: Line, at: number): boolean;
  /** Undefined if there is no match at exactly `at`. */
  captures(text: string, at: number): Match["captureIndices"] | undefined;
}

/** How the engine's callers mark a group that took no part. */
const absent = { start: 4294967295, end: 4294967295, length: 0 };

class NativeMatcher implements Matcher {
  readonly needs: PatternNeeds;
  readonly lasting = true;
  private readonly source: string;
  private readonly groups: readonly number[];
  private search: RegExp | undefined;
  private exact: RegExp | undefined;

  constructor(root: Parameters<typeof emitPattern>[0], captureCount: number) {
    const emitted = emitPattern(root, captureCount);
    this.needs = patternNeeds(root);
    this.source = emitted.source;
    this.groups = emitted.groups;
  }

  find(text: string, start: number): number {
    // As a lookahead the match is empty, so that `test`, which makes no result object, tells where it begins.
    this.search ??= new RegExp(`(?=${this.source})`, "g");
    this.search.lastIndex = start;
    return this.search.test(text) ? this.search.lastIndex : -1;
  }

  matchesAt(line: Line, at: number): boolean {
    if (!mayMatch(this.needs, line.bits, line.chars)) return false;
    this.exact ??= this.exactly();
    this.exact.lastIndex = at;
    return this.exact.test(line.content);
  }

  captures(text: string, at: number): Match["captureIndices"] | undefined {
    this.exact ??= this.exactly();
    this.exact.lastIndex = at;
    const match = this.exact.exec(text);
    if (!match) return undefined;
    const end = at + match[0].length;
    const result = [{ start: at, end, length: end - at }];
    if (this.groups.length === 0) return result;
    const indices = match.indices!;
    for (const group of this.groups) {
      const range = group === 0 ? undefined : indices[group];
      result.push(range ? { start: range[0], end: range[1], length: range[1] - range[0] } : absent);
    }
    return result;
  }

  private exactly(): RegExp {
    return new RegExp(this.source, this.groups.some((group) => group > 0) ? "dy" : "y");
  }
}

/** For the few patterns that only Shiki's own translation knows: recursion, absent groups. */
class EmulatedMatcher implements Matcher {
  readonly needs: PatternNeeds = { oneOf: [] };
  readonly lasting: boolean;
  private readonly regex: RegExp | undefined;

  constructor(source: string) {
    this.lasting = !source.includes("\\G");
    try {
      this.regex = defaultJavaScriptRegexConstructor(source);
    } catch {
      // Not a regular expression in any reading: a fault of the grammar, whose rule then never applies.
    }
  }

  find(text: string, start: number): number {
    return this.run(text, start)?.index ?? -1;
  }

  matchesAt(line: Line, at: number): boolean {
    return this.find(line.content, at) === at;
  }

  captures(text: string, at: number): Match["captureIndices"] | undefined {
    const match = this.run(text, at);
    if (match?.index !== at) return undefined;
    return Array.from(match.indices!, (range) =>
      range ? { start: range[0], end: range[1], length: range[1] - range[0] } : absent,
    );
  }

  private run(text: string, start: number): RegExpExecArray | null {
    if (!this.regex) return null;
    this.regex.lastIndex = start;
    return this.regex.exec(text);
  }
}
