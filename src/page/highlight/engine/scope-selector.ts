/** Tests a scope selector (`L:source.js -comment, text.html`) against scope names, outermost first. */
export interface ScopeSelector {
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
