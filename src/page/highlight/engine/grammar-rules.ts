import { Rule } from "./rule.js";
import type { Engine } from "./scanner.js";

/** A rule as grammars write it. What a site brings along may hold anything. */
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
  /** By selector of the places they apply in. */
  readonly injections?: RawRules;
  readonly injectionSelector?: string;
}

/**
 * The rules of a grammar and of those it includes, each read when code first gets to it: a language with others inside
 * (Ruby embeds twelve) uses a small part of them.
 */
export class GrammarRules {
  readonly root: Rule;
  private readonly main: LoadedGrammar;
  private readonly included = new Map<string, LoadedGrammar>();
  private ruleCount = 0;

  constructor(
    readonly raw: RawGrammar,
    private readonly grammarOf: (scopeName: string) => RawGrammar | undefined,
    readonly engine: Engine,
  ) {
    this.main = new LoadedGrammar(raw, undefined);
    this.root = this.ruleOf(this.main.self);
  }

  /** A rule that stands outside of the patterns: of an injection. */
  injected(raw: RawRule): Rule {
    return this.ruleOf({ raw: { patterns: [raw] }, names: this.main.names });
  }

  /** All of another grammar, as its injection. */
  injectedGrammar(raw: RawGrammar): Rule {
    return this.ruleOf((this.include(raw.scopeName, undefined) ?? this.main).self);
  }

  ruleOf(place: RulePlace): Rule {
    const { rules } = place.names.grammar;
    let rule = rules.get(place.raw);
    if (!rule) {
      rule = new Rule(++this.ruleCount, place, this);
      rules.set(place.raw, rule);
    }
    return rule;
  }

  /** Rules of a list of patterns, without those that can not apply. */
  listed(patterns: readonly RawRule[], names: Names): Rule[] {
    return patterns.flatMap((raw) => {
      const place = this.target(raw, names);
      return place && !this.isHollow(place, 0) ? [this.ruleOf(place)] : [];
    });
  }

  private target(raw: RawRule, names: Names): RulePlace | undefined {
    if (typeof raw !== "object" || raw === null) return undefined;
    const { include } = raw;
    if (typeof include !== "string" || include === "") return { raw, names };
    const { grammar } = names;
    if (include === "$self") return grammar.self;
    if (include === "$base") return grammar.base;
    const sharp = include.indexOf("#");
    if (sharp === 0) return names.find(include.slice(1));
    const other = this.include(sharp === -1 ? include : include.slice(0, sharp), grammar.base);
    return sharp === -1 ? other?.self : other?.names.find(include.slice(sharp + 1));
  }

  private include(scopeName: string, base: RulePlace | undefined): LoadedGrammar | undefined {
    const known = this.included.get(scopeName);
    const raw = known ? undefined : this.grammarOf(scopeName);
    if (!raw) return known;
    const loaded = new LoadedGrammar(raw, base);
    this.included.set(scopeName, loaded);
    return loaded;
  }

  /** Nothing that the rule lists exists: then it does not apply, although it has a beginning. */
  private isHollow({ raw, names }: RulePlace, depth: number): boolean {
    if (raw.match || depth > maxDepth) return false;
    const { hollow } = names.grammar;
    let isHollow = hollow.get(raw);
    if (isHollow === undefined) {
      // A rule that lists itself is met again.
      hollow.set(raw, false);
      const inner = innerNames(raw, names);
      const patterns = patternsOf(raw);
      const isEmpty = (each: RawRule): boolean => {
        const place = this.target(each, inner);
        return !place || this.isHollow(place, depth + 1);
      };
      isHollow = patterns.length > 0 && patterns.every(isEmpty);
      hollow.set(raw, isHollow);
    }
    return isHollow;
  }
}

/** Rules that list one another are followed this far. */
export const maxDepth = 500;

/** A rule where it stands: names mean something else in another grammar. */
export interface RulePlace {
  readonly raw: RawRule;
  readonly names: Names;
}

/** What `#name` means: rules of the grammar, or of the rule around that brings some of its own. */
export class Names {
  constructor(
    readonly grammar: LoadedGrammar,
    private readonly rules: RawRules,
    private readonly around?: Names,
  ) {}

  find(name: string): RulePlace | undefined {
    const raw = Object.hasOwn(this.rules, name) ? this.rules[name] : undefined;
    return typeof raw === "object" && raw !== null ? { raw, names: this } : this.around?.find(name);
  }
}

class LoadedGrammar {
  readonly names: Names;
  readonly self: RulePlace;
  /** The language that code is written in, even inside of the grammars it includes. */
  readonly base: RulePlace;
  readonly rules = new Map<RawRule, Rule>();
  /** What is known of rules that may list nothing. */
  readonly hollow = new Map<RawRule, boolean>();

  constructor(raw: RawGrammar, base: RulePlace | undefined) {
    this.names = new Names(this, raw.repository ?? {});
    this.self = { raw: { name: raw.scopeName, patterns: raw.patterns }, names: this.names };
    this.base = base ?? this.self;
  }
}

/** A rule that only lists others may name one of them without a list. */
export const patternsOf = ({ begin, patterns, include }: RawRule): readonly RawRule[] =>
  Array.isArray(patterns) ? patterns : begin === undefined && include ? [{ include }] : [];

export const innerNames = ({ begin, repository }: RawRule, names: Names): Names =>
  begin === undefined && repository ? new Names(names.grammar, repository, names) : names;
