import type { ElementContent, Root } from "hast";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import type { JsxChild } from "../jsx/jsx-runtime.js";
import { flattenChildren } from "../jsx/jsx-runtime.js";

const stringifier = unified().use(rehypeStringify, { allowDangerousHtml: true }).freeze();

/** HTML of what JSX gave; nothing for null, undefined and booleans. */
export function htmlOf(child: JsxChild): string {
  const children: ElementContent[] = flattenChildren(child);
  if (children.length === 0) return "";
  const root: Root = { type: "root", children };
  return stringifier.stringify(root);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character]!);
}
const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
