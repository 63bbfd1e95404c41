/** A runtime expression of Arazzo, which names the source of a value. */
export type Expression =
  | { readonly kind: "url" | "method" | "statusCode" | "self" }
  | {
      readonly kind: "request" | "response" | "message";
      readonly part: "header" | "query" | "path";
      readonly name: string;
    }
  | ({ readonly kind: "request" | "response" | "message"; readonly part: "body" } & Inside)
  | ({ readonly kind: "inputs" | "outputs"; readonly name: string } & Inside)
  | ({ readonly kind: "steps"; readonly step: string; readonly name: string } & Inside)
  | ({
      readonly kind: "workflows";
      readonly workflow: string;
      readonly field: "inputs" | "outputs";
      readonly name: string;
    } & Inside)
  /** An operation, a workflow or a field of a source; `id` is not interpreted. */
  | { readonly kind: "sourceDescriptions"; readonly source: string; readonly id: string }
  | { readonly kind: "components"; readonly list: string; readonly name: string };

/** Selects a part of the value: by a JSON pointer, or by a path such as `.items[0].id`. */
interface Inside {
  readonly pointer?: string;
  readonly path?: string;
}

const maxLength = 2_000;

/** The selected part of a value, after its name. */
const selection = "(?:#(?<pointer>|/[^{}]*)|(?<path>(?:\\.[\\w-]+|\\[\\d{1,9}\\])+))?";
/** A name, which may have dots, so a path after it starts with a bracket. */
const nameAndSelection = `(?<name>[\\w.-]+)(?:(?=[#[])${selection})?`;

/** The forms of expressions. The names of groups are those of the fields of `Expression`. */
const forms = [
  "(?<kind>url|method|statusCode|self)",
  "(?<kind>request|response|message)\\.(?<part>header|query|path)\\.(?<name>[^{}]+)",
  `(?<kind>request|response|message)\\.(?:body|payload)${selection}`,
  `(?<kind>inputs|outputs)\\.${nameAndSelection}`,
  `(?<kind>steps)\\.(?<step>[\\w-]+)\\.outputs\\.${nameAndSelection}`,
  `(?<kind>workflows)\\.(?<workflow>[\\w-]+)\\.(?<field>inputs|outputs)\\.${nameAndSelection}`,
  "(?<kind>sourceDescriptions)\\.(?<source>[\\w-]+)\\.(?<id>[^{}]+)",
  "(?<kind>components)\\.(?<list>inputs|parameters|successActions|failureActions)\\.(?<name>[\\w.-]+)",
].map((form) => new RegExp(`^\\$${form}$`));

/** Reads a whole text as one expression; undefined if it is not one. */
export function parseExpression(text: string): Expression | undefined {
  if (text.length > maxLength) return undefined;
  for (const form of forms) {
    const { groups } = form.exec(text) ?? {};
    if (groups === undefined) continue;
    const fields = Object.entries(groups).filter(([, value]) => value !== undefined);
    const isMessage = /^(?:request|response|message)$/.test(groups["kind"]!);
    return { ...(isMessage && { part: "body" }), ...Object.fromEntries(fields) } as unknown as Expression;
  }
  return undefined;
}

/** A text with expressions in braces: `Bearer {$steps.login.outputs.token}`. */
export type TemplatePart = string | { readonly written: string; readonly expression: Expression | undefined };

/** The literal parts and the expressions of a text; one that cannot be read has no `expression`. */
export const templateParts = (text: string): TemplatePart[] =>
  text.split(/(\{\$[^{}]*\})/).flatMap((part, i): TemplatePart[] => {
    if (i % 2 === 0) return part === "" ? [] : [part];
    const written = part.slice(1, -1);
    return [{ written, expression: parseExpression(written) }];
  });

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

/** The message completes a sentence after "because". */
export class ConditionError extends Error {}

const maxConditionLength = 4_000;
const maxNested = 50;

/** @throws {ConditionError} */
export function parseCondition(text: string): Condition {
  if (text.length > maxConditionLength) throw new ConditionError(`it is longer than ${maxConditionLength} characters`);
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
