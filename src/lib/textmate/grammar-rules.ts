import {
  innerNames,
  LoadedGrammar,
  maxDepth,
  type Names,
  patternsOf,
  type RawGrammar,
  type RawRule,
  type RulePlace,
} from "./raw-grammar.js";
import { Rule, type RuleLookup } from "./rule.js";
import type { Engine } from "./scanner.js";

/** The rules of a grammar and of those it includes. Each is created on first use, since few are used. */
export class GrammarRules implements RuleLookup {
  readonly root: Rule;
  private readonly main: LoadedGrammar;
  private readonly included = new Map<string, LoadedGrammar>();
  private readonly rules = new Map<LoadedGrammar, Map<RawRule, Rule>>();
  private ruleCount = 0;

  constructor(
    readonly raw: RawGrammar,
    private readonly grammarOf: (scopeName: string) => RawGrammar | undefined,
    readonly engine: Engine,
  ) {
    this.main = new LoadedGrammar(raw, undefined);
    this.root = this.ruleOf(this.main.self);
  }

  /** The rule of an injection, which the grammar's patterns do not list. */
  injected(raw: RawRule): Rule {
    return this.ruleOf({ raw: { patterns: [raw] }, names: this.main.names });
  }

  /** Another grammar as a whole, injected into this one. */
  injectedGrammar(raw: RawGrammar): Rule {
    return this.ruleOf((this.include(raw.scopeName, undefined) ?? this.main).self);
  }

  ruleOf(place: RulePlace): Rule {
    const { grammar } = place.names;
    let rules = this.rules.get(grammar);
    if (!rules) {
      rules = new Map();
      this.rules.set(grammar, rules);
    }
    let rule = rules.get(place.raw);
    if (!rule) {
      rule = new Rule(++this.ruleCount, place, this);
      rules.set(place.raw, rule);
    }
    return rule;
  }

  /** The rules of a list of patterns, except those that can never apply. */
  listed(patterns: readonly RawRule[], names: Names): readonly Rule[] {
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
    const cached = this.included.get(scopeName);
    const raw = cached ? undefined : this.grammarOf(scopeName);
    if (!raw) return cached;
    const loaded = new LoadedGrammar(raw, base);
    this.included.set(scopeName, loaded);
    return loaded;
  }

  /** Whether none of the rules that a rule lists exists. Such a rule does not apply, even if it has a `begin`. */
  private isHollow({ raw, names }: RulePlace, depth: number): boolean {
    if (raw.match || depth > maxDepth) return false;
    const { hollow } = names.grammar;
    let isHollow = hollow.get(raw);
    if (isHollow === undefined) {
      // Prevents endless recursion, since a rule may list itself.
      hollow.set(raw, false);
      const inner = innerNames(raw, names);
      const patterns = patternsOf(raw);
      const isEmpty = (pattern: RawRule): boolean => {
        const place = this.target(pattern, inner);
        return !place || this.isHollow(place, depth + 1);
      };
      isHollow = patterns.length > 0 && patterns.every(isEmpty);
      hollow.set(raw, isHollow);
    }
    return isHollow;
  }
}
