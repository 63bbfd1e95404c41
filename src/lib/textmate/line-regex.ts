import { defaultJavaScriptRegexConstructor } from "shiki/engine/javascript";
import { anyChar, type CharSet, has } from "./char-set.js";
import { emitPattern } from "./emit-pattern.js";
import type { Line, Range } from "./line.js";
import { PatternNeeds } from "./pattern-needs.js";
import type { ParsedPattern, PatternNode } from "./pattern-node.js";

export interface LineRegex {
  /** Whether a search without a match holds for all later ones on the line. */
  readonly isLasting: boolean;
  /** Characters a match can begin with; `anyChar` if nothing is known. */
  readonly first: CharSet;
  mayMatch(line: Line): boolean;
  /** The first position from `start` on where a match can begin, or -1. Much faster than a search. */
  candidate(line: Line, start: number): number;
  /** The start of the first match from `start` on, or -1. */
  find(line: Line, start: number): number;
  /** End of the last match. */
  matchEnd(): number;
  groups(): Range[];
  /** Compiles again, because the captured groups changed. */
  recompile(): void;
}

const absent: Range = { start: 0, end: 0 };

export class NativeRegex implements LineRegex {
  readonly isLasting = true;
  readonly first: CharSet;
  private readonly needs: PatternNeeds;
  private regex: RegExp | undefined;
  private groupNumbers: readonly number[] = [];
  private match: RegExpExecArray | null = null;

  constructor(
    private readonly root: PatternNode,
    private readonly parsed: ParsedPattern,
    /** `y` matches only at the start of a search. */
    private readonly flag: "g" | "y",
    private readonly noted: ReadonlySet<number>,
  ) {
    this.needs = new PatternNeeds(root);
    this.first = this.needs.first;
  }

  mayMatch(line: Line): boolean {
    return this.needs.allow(line.bits, line.chars);
  }

  candidate({ content }: Line, start: number): number {
    const { first } = this;
    if (first === anyChar) return start;
    let at = start;
    while (at < content.length && !has(first, content.charCodeAt(at))) at++;
    return at < content.length ? at : -1;
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

  recompile(): void {
    this.regex = undefined;
  }

  private compile(): RegExp {
    const { source, groups } = emitPattern(this.root, this.parsed, this.noted);
    this.groupNumbers = groups;
    return new RegExp(source, groups.some((group) => group > 0) ? `${this.flag}d` : this.flag);
  }
}

/** For the few patterns that only Shiki's translation supports, such as absent groups. */
export class EmulatedRegex implements LineRegex {
  readonly isLasting: boolean;
  readonly first = anyChar;
  private readonly regex: RegExp | undefined;
  private match: RegExpExecArray | null = null;

  constructor(source: string) {
    this.isLasting = !source.includes("\\G");
    try {
      this.regex = defaultJavaScriptRegexConstructor(source);
    } catch {
      // Not a valid regular expression: a mistake in the grammar. Its rule never applies.
    }
  }

  mayMatch(): boolean {
    return this.regex !== undefined;
  }

  candidate(_: Line, start: number): number {
    return start;
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

  /** All groups are always captured. */
  recompile(): void {}
}
