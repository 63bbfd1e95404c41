import type { Nodes, RootContent } from "mdast";
import { isImageData, isUnsafeUrl } from "../../../lib/url/index.js";
import type { JsxElement, PropValue } from "../../../page/content/index.js";
import { singleLine } from "./markdown.js";

/** Elements whose content is not text. */
const silent = new Set(["button", "svg", "style", "script"]);

/** A block in the middle of a line, without the marks that only work at its start. */
export const blockInLine = (block: string): string => ` ${singleLine(block).replace(/^(?:#{1,6} |> )+/, "")} `;

/** The text of raw HTML in a plain Markdown page. */
export const withoutTags = (html: string): string =>
  html
    .replace(/<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, "")
    .replace(/<br\s*\/?>/gi, "\\\n")
    .replace(/<\/?[A-Za-z][^<>]*>/g, "");

export const isJsxTree = (value: PropValue): value is { type: "jsxTree"; children: RootContent[] } =>
  typeof value === "object" && value !== null && "type" in value && value.type === "jsxTree";

export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** The text of a tree of any depth, for example of a code block. */
export function plainText(nodes: readonly Nodes[]): string {
  let out = "";
  const stack = [...nodes].reverse();
  while (stack.length > 0) {
    const node = stack.pop()!;
    const name = node.type.startsWith("mdxJsx") ? ((node as JsxElement).name ?? "") : "";
    if ("value" in node && node.type !== "html") out += node.value;
    else if (node.type === "break" || name === "br") out += "\n";
    else if ("children" in node && !silent.has(name))
      for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
  return out;
}

/** Unsafe URLs, except images as data URLs. */
export const runsCode = (url: string): boolean => isUnsafeUrl(url) && !isImageData(url);
