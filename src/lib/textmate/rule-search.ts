import type { Line } from "./line.js";
import type { Engine, Match, Scanner } from "./scanner.js";

/** What a search needs to know of a rule. */
interface SearchedRule {
  /** `match` or `begin`. */
  readonly opening: AnchoredSource;
  /** `end` or `while`. */
  readonly closing: AnchoredSource;
  /** Numbers of the groups of `opening` and `closing` whose ranges are used. */
  readonly openingGroups: readonly number[];
  readonly closingGroups: readonly number[];
}

export interface Found<Rule> {
  /** The rule that begins; undefined if the current rule ends, or continues by its `while`. */
  readonly rule: Rule | undefined;
  readonly match: Match;
}

/** Searches for the patterns that can match inside a rule, with one scanner for each meaning of `\A` and `\G`. */
export class RuleSearch<Rule extends SearchedRule> {
  private readonly hasAnchors: boolean;
  private readonly scanners: (Scanner | undefined)[] = [];
  private closing: string | undefined;

  constructor(
    /** In order of priority; undefined is the end (or `while`) of `owner`. */
    private readonly rules: readonly (Rule | undefined)[],
    private readonly owner: Rule,
    private readonly engine: Engine,
  ) {
    this.hasAnchors = rules.some((rule) => (rule ? rule.opening : owner.closing).hasAnchors);
  }

  /**
   * @param closing the `end` of `owner`, if it refers to groups of its `begin`.
   * @param atFirst whether `start` is the start of the block (`\A`).
   * @param atAnchor whether `\G` matches at `start`.
   */
  find(
    line: Line,
    start: number,
    closing: string | undefined,
    atFirst: boolean,
    atAnchor: boolean,
  ): Found<Rule> | undefined {
    if (closing !== this.closing) {
      this.closing = closing;
      this.scanners.length = 0;
    }
    const variant = this.hasAnchors ? (atFirst ? 2 : 0) + (atAnchor ? 1 : 0) : 0;
    this.scanners[variant] ??= this.scanner(atFirst, atAnchor);
    const match = this.scanners[variant].find(line, start);
    return match && { rule: this.rules[match.index], match };
  }

  private scanner(atFirst: boolean, atAnchor: boolean): Scanner {
    const { owner, engine, closing } = this;
    return engine.scanner(
      this.rules.map((rule) =>
        rule
          ? engine.pattern(rule.opening.at(atFirst, atAnchor, undefined), rule.openingGroups)
          : engine.pattern(owner.closing.at(atFirst, atAnchor, closing), owner.closingGroups, closing !== undefined),
      ),
    );
  }
}

/** A pattern of a grammar. Its `\A` and `\G` match only at the start of a block or right after a match. */
export class AnchoredSource {
  readonly hasAnchors: boolean;
  /** Numbers of `\1` and the like, which in an `end` refer to groups of the `begin`. */
  readonly references: readonly number[];
  private readonly source: string;

  constructor(written: string) {
    this.source = written.includes("\\z") ? replaceEscapes(written, { z: "$(?!\\n)(?<!\\n)" }) : written;
    this.hasAnchors = /\\[AG]/.test(written);
    this.references = Array.from(written.matchAll(/\\(\d+)/g), ([, index]) => Number(index));
  }

  /** @param closing replaces the pattern: the pattern with its references filled in. */
  at(atFirst: boolean, atAnchor: boolean, closing: string | undefined): string {
    const source = closing ?? this.source;
    if (!this.hasAnchors || (atFirst && atAnchor)) return source;
    return replaceEscapes(source, { ...(atFirst ? {} : { A: "\\\uffff" }), ...(atAnchor ? {} : { G: "\\\uffff" }) });
  }

  /** Fills in the references. @param texts of the groups of the `begin`. */
  withReferences(texts: readonly string[]): string {
    return this.source.replace(/\\(\d+)/g, (_, index: string) =>
      (texts[Number(index)] ?? "").replace(/[-\\{}*+?|^$.,[\]()#\s]/g, "\\$&"),
    );
  }
}

/** U+FFFF never occurs in the text, so the anchor cannot match. */
const replaceEscapes = (source: string, by: Readonly<Record<string, string>>): string =>
  source.replace(/\\(.)/gs, (whole, char: string) => by[char] ?? whole);
