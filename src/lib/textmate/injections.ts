import type { GrammarRules } from "./grammar-rules.js";
import type { Line } from "./line-regex.js";
import type { RawGrammar } from "./raw-grammar.js";
import type { FoundRule, Rule } from "./rule.js";
import type { Scope } from "./rule-stack.js";

interface Injection {
  readonly selector: ScopeSelector;
  readonly rule: Rule;
}

/** Rules that apply wherever their scope selector matches, inside any rule. */
export class Injections {
  private readonly all: readonly Injection[];
  private readonly byScope = new WeakMap<Scope, readonly Injection[]>();

  /** @param others grammars that inject themselves into this one. */
  constructor(rules: GrammarRules, others: readonly RawGrammar[]) {
    const ownInjections = Object.entries(rules.raw.injections ?? {}).flatMap(([selector, raw]) =>
      parseScopeSelector(selector).map((part) => ({ selector: part, rule: rules.injected(raw) })),
    );
    const otherInjections = others.flatMap((raw) =>
      parseScopeSelector(raw.injectionSelector ?? "").map((part) => ({
        selector: part,
        rule: rules.injectedGrammar(raw),
      })),
    );
    this.all = [...ownInjections, ...otherInjections].sort((a, b) => a.selector.rank - b.selector.rank);
  }

  /** @param current the match of the current rule: an injected rule replaces it only by matching earlier or by its rank. */
  find(current: FoundRule | undefined, scope: Scope, line: Line, start: number, atFirst: boolean, atAnchor: boolean) {
    if (this.all.length === 0) return current;
    let best: FoundRule | undefined;
    let bestRank = 0;
    for (const { rule, selector } of this.at(scope)) {
      const other = rule.find(line, start, undefined, atFirst, atAnchor);
      if (!other || (best && other.match.start >= best.match.start)) continue;
      best = other;
      bestRank = selector.rank;
      if (other.match.start === start) break;
    }
    if (!best || !current) return best ?? current;
    const ahead = current.match.start - best.match.start;
    return ahead > 0 || (ahead === 0 && bestRank === -1) ? best : current;
  }

  private at(scope: Scope): readonly Injection[] {
    let here = this.byScope.get(scope);
    if (!here) {
      const names: string[] = [];
      for (let outer: Scope | null = scope; outer; outer = outer.parent) names.unshift(outer.scopeName);
      here = this.all.filter(({ selector }) => selector.matches(names));
      this.byScope.set(scope, here);
    }
    return here;
  }
}

/** Tests a scope selector (`L:source.js -comment, text.html`) against scope names, outermost first. */
interface ScopeSelector {
  matches(scopes: readonly string[]): boolean;
  /** -1 for `L:`, which comes before all others; 1 for `R:`. */
  readonly rank: number;
}

type Test = (scopes: readonly string[]) => boolean;

/** The alternatives of a selector. Reading stops at invalid syntax. */
export function parseScopeSelector(written: string): ScopeSelector[] {
  const words = written.match(/[LR]:|[\w.:][\w.:-]*|[,|()-]/g) ?? [];
  let at = 0;
  const isName = (): boolean => at < words.length && /[\w.:]/.test(words[at]!);

  const operand = (): Test | undefined => {
    if (words[at] === "-") {
      at++;
      const negated = operand();
      return (scopes) => negated !== undefined && !negated(scopes);
    }
    if (words[at] === "(") {
      at++;
      const inner = alternatives();
      if (words[at] === ")") at++;
      return inner;
    }
    if (!isName()) return undefined;
    const names: string[] = [];
    while (isName()) names.push(words[at++]!);
    return (scopes) => occurInOrder(names, scopes);
  };
  const conjunction = (): Test => {
    const tests: Test[] = [];
    for (let test = operand(); test; test = operand()) tests.push(test);
    return (scopes) => tests.every((test) => test(scopes));
  };
  const alternatives = (): Test => {
    const tests = [conjunction()];
    while (words[at] === "|" || words[at] === ",") {
      at++;
      tests.push(conjunction());
    }
    return (scopes) => tests.some((test) => test(scopes));
  };

  const selectors: ScopeSelector[] = [];
  while (at < words.length) {
    const rank = words[at] === "L:" ? -1 : words[at] === "R:" ? 1 : 0;
    if (rank !== 0) at++;
    selectors.push({ matches: conjunction(), rank });
    if (words[at++] !== ",") break;
  }
  return selectors;
}

function occurInOrder(names: readonly string[], scopes: readonly string[]): boolean {
  let at = 0;
  return names.every((name) => {
    while (at < scopes.length && scopes[at] !== name && !scopes[at]!.startsWith(`${name}.`)) at++;
    return at++ < scopes.length;
  });
}
