/** A rule of a TextMate grammar. The grammar of a site is not validated: a field may hold anything. */
export interface RawRule {
  readonly name?: string;
  readonly contentName?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly while?: string;
  readonly include?: string;
  readonly applyEndPatternLast?: boolean | number;
  readonly patterns?: readonly RawRule[];
  readonly repository?: RawRules;
  readonly captures?: RawRules;
  readonly beginCaptures?: RawRules;
  readonly endCaptures?: RawRules;
  readonly whileCaptures?: RawRules;
}
export type RawRules = Readonly<Record<string, RawRule>>;

export interface RawGrammar {
  readonly scopeName: string;
  readonly patterns: readonly RawRule[];
  readonly repository?: RawRules;
  /** Keyed by scope selector. */
  readonly injections?: RawRules;
  readonly injectionSelector?: string;
}

/** Limit of the depth of rules that list each other. */
export const maxDepth = 500;

/** A rule with the names that it can include, which differ between grammars. */
export interface RulePlace {
  readonly raw: RawRule;
  readonly names: Names;
}

/** Resolves `#name` to a rule of the enclosing rule's repository, or of the grammar's. */
export class Names {
  constructor(
    readonly grammar: LoadedGrammar,
    private readonly rules: RawRules,
    private readonly outer?: Names,
  ) {}

  find(name: string): RulePlace | undefined {
    const raw = Object.hasOwn(this.rules, name) ? this.rules[name] : undefined;
    return typeof raw === "object" && raw !== null ? { raw, names: this } : this.outer?.find(name);
  }
}

export class LoadedGrammar {
  readonly names: Names;
  readonly self: RulePlace;
  /** The rule for `$base`: the grammar of the code block, even inside the grammars that it includes. */
  readonly base: RulePlace;
  /** Cached answers of `GrammarRules.isHollow`. */
  readonly hollow = new Map<RawRule, boolean>();

  constructor(raw: RawGrammar, base: RulePlace | undefined) {
    this.names = new Names(this, raw.repository ?? {});
    this.self = { raw: { name: raw.scopeName, patterns: raw.patterns }, names: this.names };
    this.base = base ?? this.self;
  }
}

/** A rule without `begin` may have one `include` instead of a list. */
export const patternsOf = ({ begin, patterns, include }: RawRule): readonly RawRule[] =>
  Array.isArray(patterns) ? patterns : begin === undefined && include ? [{ include }] : [];

export const innerNames = ({ begin, repository }: RawRule, names: Names): Names =>
  begin === undefined && repository ? new Names(names.grammar, repository, names) : names;
