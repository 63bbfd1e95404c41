/** What a node is to the twin: part of a sentence, a block, nothing at all. */
import type { Nodes, RootContent } from "mdast";
import type { PropValue } from "../../../page/content/index.js";
import { blockComponents } from "./components.js";
import { singleLine } from "./markdown.js";

/** Elements that add nothing to the text around them. */
export const silent = new Set(["button", "svg", "style", "script"]);

/** A block in the middle of a line: without the marks that only mean something at its start. */
export const blockInLine = (block: string): string => ` ${singleLine(block).replace(/^(?:#{1,6} |> )+/, "")} `;

/** The words of HTML that stands raw in a plain Markdown page. */
export const withoutTags = (html: string): string =>
  html
    .replace(/<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, "")
    .replace(/<br\s*\/?>/gi, "\\\n")
    .replace(/<\/?[A-Za-z][^<>]*>/g, "");

const phrasing = new Set([
  "text",
  "emphasis",
  "strong",
  "delete",
  "inlineCode",
  "inlineMath",
  "break",
  "link",
  "image",
  "linkReference",
  "imageReference",
  "footnoteReference",
  "html",
]);

/** Whether a node belongs into a sentence. A block component is none of that, wherever it stands. */
export function isPhrasing(node: Nodes): boolean {
  if (node.type === "mdxJsxTextElement") return !isBlockElement(node);
  if (node.type === "liveCode") return node.inline;
  return phrasing.has(node.type);
}

export const isBlockElement = (node: Nodes): boolean =>
  node.type === "mdxJsxTextElement" && lookUp(blockComponents, node.name ?? "") !== undefined;

export const isJsxTree = (value: PropValue): value is { type: "jsxTree"; children: RootContent[] } =>
  typeof value === "object" && value !== null && "type" in value && value.type === "jsxTree";

export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
