import type { Line, Range } from "./line.js";
import {
  innerNames,
  maxDepth,
  type Names,
  patternsOf,
  type RawRule,
  type RawRules,
  type RulePlace,
} from "./raw-grammar.js";
import { AnchoredSource, type Found, RuleSearch } from "./rule-search.js";
import type { Engine } from "./scanner.js";

/** `list` only lists other rules; `span` runs from `begin` to `end`; `lines` continues over lines that match `while`. */
type RuleKind = "match" | "list" | "span" | "lines";

/** What a group of a match gets: a scope of its own, or a rule that reads its text again. */
interface Capture {
  readonly name: ScopeName;
  readonly contentName: ScopeName;
  readonly rule: Rule | undefined;
}
export type Captures = readonly (Capture | undefined)[];

/** HTML has a group 912. A much higher number is a mistake and would need a huge array. */
const maxGroup = 10_000;

/** Creates the rules that a rule refers to. */
export interface RuleLookup {
  readonly engine: Engine;
  ruleOf(place: RulePlace): Rule;
  listed(patterns: readonly RawRule[], names: Names): readonly Rule[];
}

export type FoundRule = Found<Rule>;

/** A rule of a grammar. The rules it refers to are looked up when code reaches them. */
export class Rule {
  readonly kind: RuleKind;
  readonly name: ScopeName;
  readonly contentName: ScopeName;
  /** `match` or `begin`. */
  readonly opening: AnchoredSource;
  /** `end` or `while`. */
  readonly closing: AnchoredSource;
  /** Numbers of the groups of `opening` and `closing` whose ranges are used. */
  readonly openingGroups: readonly number[];
  readonly closingGroups: readonly number[];
  readonly hasOpeningGroups: boolean;
  readonly hasClosingGroups: boolean;
  private readonly raw: RawRule;
  private openingCaptures: Captures | undefined;
  private closingCaptures: Captures | undefined;
  private inner: readonly Rule[] | undefined;
  private search: RuleSearch<Rule> | undefined;
  private whileSearch: RuleSearch<Rule> | undefined;

  constructor(
    /** Numbered from 1 in order of creation. */
    readonly id: number,
    private readonly place: RulePlace,
    private readonly rules: RuleLookup,
  ) {
    const { raw } = place;
    this.raw = raw;
    this.kind = raw.match ? "match" : raw.begin === undefined ? "list" : raw.while ? "lines" : "span";
    this.name = new ScopeName(raw.name);
    this.contentName = new ScopeName(this.kind === "match" ? undefined : raw.contentName);
    this.opening = new AnchoredSource(patternSource(raw.match || raw.begin));
    this.closing = new AnchoredSource(patternSource(raw.while || raw.end));
    this.openingGroups = [
      ...groupsIn(this.rawBeginCaptures),
      ...this.name.groups,
      ...this.contentName.groups,
      ...(this.kind === "match" ? [] : this.closing.references),
    ];
    this.closingGroups = groupsIn(this.rawEndCaptures);
    this.hasOpeningGroups = this.openingGroups.some((group) => group > 0);
    this.hasClosingGroups = this.closingGroups.some((group) => group > 0);
  }

  get beginCaptures(): Captures {
    this.openingCaptures ??= this.readCaptures(this.rawBeginCaptures);
    return this.openingCaptures;
  }

  get endCaptures(): Captures {
    this.closingCaptures ??= this.readCaptures(this.rawEndCaptures);
    return this.closingCaptures;
  }

  private get rawBeginCaptures(): RawRules | undefined {
    const { captures, beginCaptures } = this.raw;
    return this.kind === "match" ? captures : (beginCaptures ?? captures);
  }

  private get rawEndCaptures(): RawRules | undefined {
    const { captures, endCaptures, whileCaptures } = this.raw;
    return (this.kind === "lines" ? whileCaptures : endCaptures) ?? captures;
  }

  /** The next match inside the rule. @param closing its `end`, if it refers to groups of its `begin`. */
  find(
    line: Line,
    start: number,
    closing: string | undefined,
    atFirst: boolean,
    atAnchor: boolean,
  ): FoundRule | undefined {
    this.search ??= this.innerSearch();
    return this.search.find(line, start, closing, atFirst, atAnchor);
  }

  /** The match of `while` if the line still belongs to the rule, which is of kind `lines`. */
  findWhile(
    line: Line,
    start: number,
    closing: string | undefined,
    atFirst: boolean,
    atAnchor: boolean,
  ): FoundRule | undefined {
    this.whileSearch ??= new RuleSearch([undefined], this, this.rules.engine);
    return this.whileSearch.find(line, start, closing, atFirst, atAnchor);
  }

  private innerSearch(): RuleSearch<Rule> {
    const list = new Set<Rule | undefined>();
    if (this.kind === "match") list.add(this);
    if (this.kind === "span" && !this.raw.applyEndPatternLast) list.add(undefined);
    for (const rule of this.innerRules()) rule.collect(list, new Set(), 0);
    if (this.kind === "span") list.add(undefined);
    return new RuleSearch([...list], this, this.rules.engine);
  }

  /** Rules that can begin where this one is listed. */
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
    for (const [key, each] of Object.entries(raw ?? {})) {
      const index = Number.parseInt(key, 10);
      if (!(index >= 0 && index <= maxGroup)) continue;
      while (captures.length < index) captures.push(undefined);
      captures[index] = {
        name: new ScopeName(each?.name),
        contentName: new ScopeName(each?.contentName),
        rule: each?.patterns ? this.rules.ruleOf({ raw: each, names: this.place.names }) : undefined,
      };
    }
    return captures;
  }
}

/** The groups that captures use: their own, and those in the names of their scopes. */
const groupsIn = (captures: RawRules | undefined): number[] =>
  Object.entries(captures ?? {}).flatMap(([key, each]) => [
    Number.parseInt(key, 10),
    ...new ScopeName(each?.name).groups,
    ...new ScopeName(each?.contentName).groups,
  ]);

/** A missing pattern becomes one that matches nothing in code. */
const patternSource = (written: unknown): string => (typeof written === "string" ? written : "\uffff");

const groupSigns = /\$(\d+)|\$\{(\d+):\/(downcase|upcase)\}/g;

/** The scopes a rule gives to its match: names separated by blanks, in which `$1` is the text of a group. */
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
        const found = text.slice(group.start, group.end).replace(/^\.+/, "");
        return change === "downcase" ? found.toLowerCase() : change === "upcase" ? found.toUpperCase() : found;
      },
    );
  }
}
