/** Parses code in MDX to ESTree with acorn. Runs none of it. */
import { createRequire } from "node:module";
import type { Parser } from "acorn";
import type { Expression, Program } from "estree-jsx";
import { createMemo } from "../../../lib/memo.js";

export type Parsed<T> =
  | { readonly kind: "tree"; readonly node: T }
  /** Only white space and comments. */
  | { readonly kind: "empty" }
  /** `offset` into the text. */
  | { readonly kind: "fault"; readonly reason: string; readonly offset: number }
  | { readonly kind: "tooDeep" };

let jsxParser: typeof Parser | undefined;

/** Loaded on first use, since most expressions are a literal or a name and need no parser. */
function loadParser(): typeof Parser {
  if (jsxParser === undefined) {
    const require = createRequire(import.meta.url);
    const acorn = require("acorn") as typeof import("acorn");
    const jsx = require("acorn-jsx") as typeof import("acorn-jsx");
    jsxParser = acorn.Parser.extend(jsx());
  }
  return jsxParser;
}
const options = { ecmaVersion: 2024, sourceType: "module", allowAwaitOutsideFunction: true } as const;

export function parseExpression(text: string): Parsed<Expression> {
  const blank = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n|$))*/.exec(text)![0];
  if (blank.length === text.length) return { kind: "empty" };
  // Brackets make an object literal an expression; `attempt` subtracts them from the offset.
  return attempt(1, () => {
    const program = loadParser().parse(`(${text}\n)`, options) as unknown as Program;
    const statement = program.body[0];
    if (program.body.length !== 1 || statement?.type !== "ExpressionStatement")
      throw new SyntaxError("Unexpected statement");
    return statement.expression as Expression;
  });
}

export const parseModule = (text: string): Parsed<Program> =>
  attempt(0, () => loadParser().parse(text, options) as unknown as Program);

function attempt<T>(shift: number, parse: () => T): Parsed<T> {
  try {
    return { kind: "tree", node: parse() };
  } catch (error) {
    if (error instanceof RangeError) return { kind: "tooDeep" };
    const { message, pos } = error as SyntaxError & { pos?: number };
    if (message.startsWith("Not enough stack space")) return { kind: "tooDeep" };
    return { kind: "fault", reason: message.replace(/ \(\d+:\d+\)$/, ""), offset: Math.max(0, (pos ?? shift) - shift) };
  }
}

/** Depth of the deepest node. Does not recurse. */
export function measureDepth(root: unknown): number {
  let level: unknown[] = [root];
  let depth = 0;
  while (level.length > 0) {
    depth++;
    const next: unknown[] = [];
    for (const node of level) {
      for (const value of Object.values(node as object)) {
        if (Array.isArray(value)) for (const each of value) isNode(each) && next.push(each);
        else if (isNode(value)) next.push(value);
      }
    }
    level = next;
  }
  return depth;
}

const isNode = (value: unknown): boolean => typeof value === "object" && value !== null && "type" in value;

export type ReadExpression = (text: string) => Parsed<Expression>;

const name = /^[A-Za-z_$][\w$]*$/;
const notNames = new Set(
  "true false null this new async await yield let function class super import delete typeof void".split(" "),
);

/** Caches the results, since many pages use the same few expressions. */
export function createExpressionReader(): ReadExpression {
  const parsed = createMemo<Parsed<Expression>>(4000);
  return (text) => {
    const simple = readSimple(text);
    return simple === undefined ? parsed(text, () => parseExpression(text)) : { kind: "tree", node: simple };
  };
}

/** Reads names and literals, which need no parser. */
function readSimple(typed: string): Expression | undefined {
  const text = typed.trim();
  if (name.test(text) && !notNames.has(text)) return { type: "Identifier", name: text };
  if (text === "true" || text === "false") return { type: "Literal", value: text === "true" };
  if (/^(?:0|[1-9]\d{0,14})$/.test(text)) return { type: "Literal", value: Number(text) };
  if (/^(?:"[^"\\\n]*"|'[^'\\\n]*')$/.test(text)) return { type: "Literal", value: text.slice(1, -1) };
  return undefined;
}
