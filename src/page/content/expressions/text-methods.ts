/** Methods of text that pages use for ids and labels: what they give needs no JavaScript engine. */
import type { Node } from "estree-jsx";
import type { Value } from "./values.js";

const withoutArguments: ReadonlyMap<string, (text: string) => string> = new Map([
  ["toLowerCase", (text: string) => text.toLowerCase()],
  ["toUpperCase", (text: string) => text.toUpperCase()],
  ["trim", (text: string) => text.trim()],
]);
const replacing = new Set(["replace", "replaceAll"]);

export const isTextMethod = (name: string): boolean => withoutArguments.has(name) || replacing.has(name);

/** One character or class, also repeated, or a word: patterns that take linear time. */
const plainPattern =
  /^(?:(?:\\[dDwWsS]|\[(?:[^\]\\]|\\.)+\]|\\[^\w]|[^\\^$.|?*+()[\]{}])\+?|(?:\\[^\w]|[^\\^$.|?*+()[\]{}])+)$/;

/** The pattern of a literal; undefined if it is another expression or could take long. */
export function patternOf(node: Node): RegExp | undefined {
  if (node.type !== "Literal" || !("regex" in node) || node.regex == null) return undefined;
  const { pattern, flags } = node.regex;
  return plainPattern.test(pattern) && /^[gi]*$/.test(flags) ? new RegExp(pattern, flags) : undefined;
}

/** @returns undefined if only a JavaScript engine can tell, or if the text could have more than `maxChars`. */
export function callOnText(
  text: string,
  method: string,
  [pattern, by, ...others]: readonly (Value | RegExp)[],
  maxChars: number,
): string | undefined {
  const convert = withoutArguments.get(method);
  if (convert) return pattern === undefined ? convert(text) : undefined;
  if (typeof by !== "string" || by.includes("$") || others.length > 0) return undefined;
  if ((text.length + 1) * (by.length + 1) > maxChars) return undefined;
  if (typeof pattern === "string")
    return method === "replace" ? text.replace(pattern, by) : text.replaceAll(pattern, by);
  return pattern instanceof RegExp && (method === "replace" || pattern.global) ? text.replace(pattern, by) : undefined;
}
