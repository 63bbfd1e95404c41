import { type Expression, parseExpression } from "./expression.js";

/** A simple condition: literals, runtime expressions and operators. */
export type Condition =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "not"; readonly of: Condition }
  | { readonly kind: "and" | "or"; readonly left: Condition; readonly right: Condition }
  | {
      readonly kind: "compare";
      readonly operator: Comparison;
      readonly left: Condition;
      readonly right: Condition;
    };
export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** The message completes a sentence that ends with "because". */
export class ConditionError extends Error {}

const maxLength = 4_000;
const maxNested = 50;

/** @throws {ConditionError} */
export function parseCondition(text: string): Condition {
  if (text.length > maxLength) throw new ConditionError(`it is longer than ${maxLength} characters`);
  const tokens = tokensOf(text);
  let at = 0;
  let depth = 0;
  const take = (...expected: readonly string[]): string | undefined =>
    expected.includes(tokens[at] ?? "") ? tokens[at++] : undefined;

  const binary = (operator: "&&" | "||", kind: "and" | "or", next: () => Condition) => (): Condition => {
    let left = next();
    while (take(operator) !== undefined) left = { kind, left, right: next() };
    return left;
  };
  const operand = (): Condition => {
    if (++depth > maxNested) throw new ConditionError(`it is nested deeper than ${maxNested} levels`);
    try {
      if (take("!") !== undefined) return { kind: "not", of: operand() };
      if (take("(") === undefined) return readValue(tokens[at++]);
      const inner = whole();
      if (take(")") === undefined) throw new ConditionError('a ")" is missing');
      return inner;
    } finally {
      depth--;
    }
  };
  const comparison = (): Condition => {
    const left = operand();
    const operator = take("==", "!=", "<", "<=", ">", ">=") as Comparison | undefined;
    return operator === undefined ? left : { kind: "compare", operator, left, right: operand() };
  };
  const whole = binary("||", "or", binary("&&", "and", comparison));

  const condition = whole();
  if (at < tokens.length) throw new ConditionError(`${tokens[at]} is unexpected`);
  return condition;
}

/** Literals, operators, and expressions up to the next blank or operator. */
function tokensOf(text: string): string[] {
  const token = /\s*(?:('(?:[^']|'')*'|"[^"]*")|(&&|\|\||[<>=!]=|[<>!()])|([^\s<>=!&|()'"]+))/y;
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  while (token.lastIndex < end) {
    const from = token.lastIndex;
    const [, literal, operator, word] = token.exec(text) ?? [];
    const next = literal ?? operator ?? word;
    if (next === undefined) throw new ConditionError(`"${text.slice(from).trim().slice(0, 20)}" is unexpected`);
    tokens.push(next);
  }
  return tokens;
}

function readValue(token: string | undefined): Condition {
  if (token === undefined) throw new ConditionError("it ends too early");
  if (token.startsWith("'")) return { kind: "literal", value: token.slice(1, -1).replaceAll("''", "'") };
  if (token.startsWith('"')) return { kind: "literal", value: token.slice(1, -1) };
  if (token === "true" || token === "false") return { kind: "literal", value: token === "true" };
  if (token === "null") return { kind: "literal", value: null };
  if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(token)) return { kind: "literal", value: Number(token) };
  if (!token.startsWith("$"))
    throw new ConditionError(`${token} is neither a value nor an expression; put strings in single quotes`);
  const expression = parseExpression(token);
  if (expression === undefined) throw new ConditionError(`${token} is not a runtime expression`);
  return { kind: "expression", expression };
}

export function expressionsIn(condition: Condition): Expression[] {
  if (condition.kind === "expression") return [condition.expression];
  if (condition.kind === "literal") return [];
  if (condition.kind === "not") return expressionsIn(condition.of);
  return [...expressionsIn(condition.left), ...expressionsIn(condition.right)];
}
