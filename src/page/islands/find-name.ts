import { jsxParser } from "./check-source.js";
import { type AnyNode, isNode, nameOf } from "./syntax-tree.js";

/** Where a module first uses a name, from 1. @param text was compiled. Undefined for TypeScript, too. */
export async function findName(text: string, name: string): Promise<{ line: number; column: number } | undefined> {
  const parser = await jsxParser();
  let first = Number.POSITIVE_INFINITY;
  const waiting: unknown[] = [];
  try {
    waiting.push(parser.parse(text, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true }));
  } catch {
    return undefined;
  }
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (Array.isArray(node)) waiting.push(...node);
    if (!isNode(node)) continue;
    if (/^(?:JSX)?Identifier$/.test(node.type) && nameOf(node) === name) first = Math.min(first, node.start);
    for (const [field, value] of Object.entries(node)) if (!isPropertyName(node, field)) waiting.push(value);
  }
  if (first > text.length) return undefined;
  const before = text.slice(0, first).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

function isPropertyName({ type, computed, shorthand }: AnyNode, field: string): boolean {
  if (field === "property") return type === "JSXMemberExpression" || (type === "MemberExpression" && !computed);
  if (field === "key") return !computed && !shorthand;
  return field === "name" && type === "JSXAttribute";
}
