import type { Line, Range } from "./line-regex.js";
import {
  innerNames,
  maxDepth,
  type Names,
  patternsOf,
  type RawRule,
  type RawRules,
  type RulePlace,
} from "./raw-grammar.js";
import type { Engine, Match, Scanner } from "./scanner.js";

/** `list` only lists other rules; `span` runs from `begin` to `end`; `lines` continues over lines that match `while`. */
type RuleKind = "match" | "list" | "span" | "lines";

/** The scope of a group of a match, or the rule that tokenizes its text again. */
interface Capture {
  readonly name: ScopeName;
  readonly contentName: ScopeName;
  readonly rule: Rule | undefined;
}
export type Captures = readonly (Capture | undefined)[];

export interface FoundRule {
  /** The rule that begins; undefined if the current rule ends, or continues by its `while`. */
  readonly rule: Rule | undefined;
  readonly match: Match;
}

/** Creates the rules that a rule refers to. */
export interface RuleLookup {
  readonly engine: Engine;
  ruleOf(place: RulePlace): Rule;
  listed(patterns: readonly RawRule[], names: Names): readonly Rule[];
}

/** HTML's grammar has a group 912. A much higher number is a mistake and would need a huge array. */
const maxGroup = 10_000;

/** A rule of a grammar. The rules to which it refers are looked up on first use. */
export class Rule {
  readonly kind: RuleKind;
  readonly name: ScopeName;
  readonly contentName: ScopeName;
  /** `match` or `begin`. */
  readonly opening: RulePattern;
  /** `end` or `while`. */
  readonly closing: RulePattern;
  private openingCaptures: Captures | undefined;
  private closingCaptures: Captures | undefined;
  private inner: readonly Rule[] | undefined;
  private search: RuleSearch | undefined;
  private whileSearch: RuleSearch | undefined;

  constructor(
    /** Numbered from 1 in order of creation. */
    readonly id: number,
    private readonly place: RulePlace,
    private readonly rules: RuleLookup,
  ) {
    const { raw } = place;
    this.kind = raw.match ? "match" : raw.begin === undefined ? "list" : raw.while ? "lines" : "span";
    const isMatch = this.kind === "match";
    this.name = new ScopeName(raw.name);
    this.contentName = new ScopeName(isMatch ? undefined : raw.contentName);
    const closingCaptures = this.kind === "lines" ? raw.whileCaptures : raw.endCaptures;
    const openingCaptures = isMatch ? undefined : raw.beginCaptures;
    this.closing = new RulePattern(raw.while || raw.end, closingCaptures ?? raw.captures);
    this.opening = new RulePattern(raw.match || raw.begin, openingCaptures ?? raw.captures, [
      ...this.name.groups,
      ...this.contentName.groups,
      ...(isMatch ? [] : this.closing.references),
    ]);
  }

  get beginCaptures(): Captures {
    this.openingCaptures ??= this.readCaptures(this.opening.captures);
    return this.openingCaptures;
  }

  get endCaptures(): Captures {
    this.closingCaptures ??= this.readCaptures(this.closing.captures);
    return this.closingCaptures;
  }

  /** The next match inside the rule. @param closing its `end`, if it refers to groups of its `begin`. */
  find(line: Line, start: number, closing: string | undefined, atFirst: boolean, atAnchor: boolean) {
    this.search ??= this.innerSearch();
    return this.search.find(line, start, closing, atFirst, atAnchor);
  }

  /** The match of `while` if the line still belongs to the rule, which is of kind `lines`. */
  findWhile(line: Line, start: number, closing: string | undefined, atFirst: boolean, atAnchor: boolean) {
    this.whileSearch ??= new RuleSearch([undefined], this, this.rules.engine);
    return this.whileSearch.find(line, start, closing, atFirst, atAnchor);
  }

  private innerSearch(): RuleSearch {
    const list = new Set<Rule | undefined>();
    if (this.kind === "match") list.add(this);
    if (this.kind === "span" && !this.place.raw.applyEndPatternLast) list.add(undefined);
    for (const rule of this.innerRules()) rule.collect(list, new Set(), 0);
    if (this.kind === "span") list.add(undefined);
    return new RuleSearch([...list], this, this.rules.engine);
  }

  /** Adds the rules that can begin where this one is listed. */
  private collect(list: Set<Rule | undefined>, seen: Set<Rule>, depth: number): void {
    if (this.kind !== "list") list.add(this);
    else if (!seen.has(this) && depth <= maxDepth) {
      seen.add(this);
      for (const rule of this.innerRules()) rule.collect(list, seen, depth + 1);
    }
  }

  private innerRules(): readonly Rule[] {
    const { raw, names } = this.place;
    this.inner ??= this.kind === "match" ? [] : this.rules.listed(patternsOf(raw), innerNames(raw, names));
    return this.inner;
  }

  private readCaptures(raw: RawRules | undefined): Captures {
    const captures: (Capture | undefined)[] = [];
    for (const [key, capture] of Object.entries(raw ?? {})) {
      const index = Number.parseInt(key, 10);
      if (!(index >= 0 && index <= maxGroup)) continue;
      while (captures.length < index) captures.push(undefined);
      captures[index] = {
        name: new ScopeName(capture?.name),
        contentName: new ScopeName(capture?.contentName),
        rule: capture?.patterns ? this.rules.ruleOf({ raw: capture, names: this.place.names }) : undefined,
      };
    }
    return captures;
  }
}

/** Searches for the patterns that can match inside a rule, with one scanner for each meaning of `\A` and `\G`. */
class RuleSearch {
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
  ): FoundRule | undefined {
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
          ? engine.pattern(rule.opening.at(atFirst, atAnchor, undefined), rule.opening.groups)
          : engine.pattern(owner.closing.at(atFirst, atAnchor, closing), owner.closing.groups, closing !== undefined),
      ),
    );
  }
}

/** A pattern of a rule. Its `\A` and `\G` match only at the start of a block or right after a match. */
class RulePattern {
  readonly hasAnchors: boolean;
  /** Numbers of `\1` and the like, which in an `end` refer to groups of the `begin`. */
  readonly references: readonly number[];
  /** Numbers of the groups whose ranges are used. */
  readonly groups: readonly number[];
  readonly hasGroups: boolean;
  private readonly source: string;

  /** @param written may be missing or not a string. @param moreGroups groups that are used outside of the captures. */
  constructor(
    written: unknown,
    readonly captures: RawRules | undefined,
    moreGroups: readonly number[] = [],
  ) {
    const source = typeof written === "string" ? written : neverInCode;
    this.source = source.includes("\\z") ? replaceEscapes(source, { z: "$(?!\\n)(?<!\\n)" }) : source;
    this.hasAnchors = /\\[AG]/.test(source);
    this.references = Array.from(source.matchAll(/\\(\d+)/g), ([, index]) => Number(index));
    this.groups = [...groupsIn(captures), ...moreGroups];
    this.hasGroups = this.groups.some((group) => group > 0);
  }

  /** @param closing replaces the pattern: the pattern with its references filled in. */
  at(atFirst: boolean, atAnchor: boolean, closing: string | undefined): string {
    const source = closing ?? this.source;
    if (!this.hasAnchors || (atFirst && atAnchor)) return source;
    const never = `\\${neverInCode}`;
    return replaceEscapes(source, { ...(atFirst ? {} : { A: never }), ...(atAnchor ? {} : { G: never }) });
  }

  /** Fills in the references. @param texts the texts of the groups of the `begin`. */
  withReferences(texts: readonly string[]): string {
    return this.source.replace(/\\(\d+)/g, (_, index: string) =>
      (texts[Number(index)] ?? "").replace(/[-\\{}*+?|^$.,[\]()#\s]/g, "\\$&"),
    );
  }
}

/** U+FFFF never occurs in the text, so a pattern with it cannot match. */
const neverInCode = "\uffff";

const replaceEscapes = (source: string, by: Readonly<Record<string, string>>): string =>
  source.replace(/\\(.)/gs, (whole, char: string) => by[char] ?? whole);

/** The groups that captures use, directly or in the name of a scope. */
const groupsIn = (captures: RawRules | undefined): number[] =>
  Object.entries(captures ?? {}).flatMap(([key, capture]) => [
    Number.parseInt(key, 10),
    ...new ScopeName(capture?.name).groups,
    ...new ScopeName(capture?.contentName).groups,
  ]);

const groupSigns = /\$(\d+)|\$\{(\d+):\/(downcase|upcase)\}/g;

/** The scopes that a rule gives to its match: names separated by blanks, in which `$1` is the text of a group. */
class ScopeName {
  /** Numbers of the groups it uses. */
  readonly groups: readonly number[];
  private readonly written: string | undefined;

  constructor(written: unknown) {
    this.written = typeof written === "string" && written !== "" ? written : undefined;
    this.groups = this.written?.includes("$")
      ? Array.from(this.written.matchAll(groupSigns), ([, plain, changed]) => Number(plain ?? changed))
      : [];
  }

  in(text: string, groups: readonly Range[]): string | undefined {
    if (this.groups.length === 0) return this.written;
    return this.written!.replace(
      groupSigns,
      (whole, plain: string | undefined, changed: string, change: string | undefined) => {
        const group = groups[Number(plain ?? changed)];
        if (!group) return whole;
        const groupText = text.slice(group.start, group.end).replace(/^\.+/, "");
        return change === "downcase"
          ? groupText.toLowerCase()
          : change === "upcase"
            ? groupText.toUpperCase()
            : groupText;
      },
    );
  }
}
