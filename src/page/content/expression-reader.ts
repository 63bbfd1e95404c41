/** Parses expressions to ESTree and keeps the results: many pages use the same few. */
import type { Expression } from "estree-jsx";
import { type Parsed, parseExpression } from "./estree.js";

export type ReadExpression = (text: string) => Parsed<Expression>;

const rememberedCount = 4000;
const name = /^[A-Za-z_$][\w$]*$/;
const notNames = new Set(
  "true false null this new async await yield let function class super import delete typeof void".split(" "),
);

export function createExpressionReader(): ReadExpression {
  const known = new Map<string, Parsed<Expression>>();
  return (text) => {
    const simple = readSimple(text);
    if (simple !== undefined) return { kind: "tree", node: simple };
    let parsed = known.get(text);
    if (parsed === undefined) {
      if (known.size >= rememberedCount) known.clear();
      parsed = parseExpression(text);
      known.set(text, parsed);
    }
    return parsed;
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
