import type { Element, ElementContent } from "hast";
import { unescapeHtml } from "../../../lib/html/escape.js";
import { codeSpan, fence, listItem, markdownTable, quote } from "../../../lib/markdown.js";
import { isElement, isHeadingAnchor } from "./nodes.js";

/** Converts rendered content to Markdown that readers copy, without icons and controls. */
export function markdownOf(nodes: readonly ElementContent[]): string {
  const blocks: string[] = [];
  let words = "";
  const end = (): void => {
    const text = words.replace(/[ \t]*\n[ \t]*/g, "\n").trim();
    if (text !== "") blocks.push(text);
    words = "";
  };
  for (const node of nodes) {
    const block = isElement(node) ? blockOf(node) : undefined;
    if (block === undefined) {
      words += inlineOf(node);
      continue;
    }
    end();
    if (block !== "") blocks.push(block);
  }
  end();
  return blocks.join("\n\n");
}

const containers = new Set(
  "address article aside details div dl dd dt figcaption figure footer header li main nav p section".split(" "),
);

/** A block without line breaks around it; undefined for inline elements. */
function blockOf(element: Element): string | undefined {
  const { tagName, children } = element;
  if (containers.has(tagName)) return markdownOf(children);
  if (/^h[1-6]$/.test(tagName)) return `${"#".repeat(Number(tagName[1]))} ${inlineAll(children).trim()}`;
  switch (tagName) {
    case "ul":
    case "ol":
      return listItems(element).join("\n");
    case "pre":
      return fence("", codeText(children));
    case "blockquote":
      return quote(markdownOf(children));
    case "hr":
      return "---";
    case "table":
      return tableOf(element);
    case "button":
    case "summary":
    case "svg":
      return "";
    default:
      return undefined;
  }
}

function listItems(list: Element): string[] {
  const first = Number(list.properties["start"] ?? 1);
  return list.children.filter(isElement).map((item, index) => {
    const mark = list.tagName === "ol" ? `${first + index}. ` : "- ";
    const text = markdownOf(item.children);
    // A nested list follows its item without a blank line.
    const tight = text.replace(/\n\n(?=(?:- |\d+\. ))/g, "\n");
    return listItem(mark, tight);
  });
}

function tableOf(table: Element): string {
  const rows = table.children.filter(isElement).flatMap((part) => part.children.filter(isElement));
  const lines = rows.map((row) => row.children.filter(isElement).map((cell) => inlineAll(cell.children).trim()));
  return markdownTable(lines, []);
}

const inlineAll = (nodes: readonly ElementContent[]): string => nodes.map(inlineOf).join("");

/** The Markdown on both sides of these elements. */
const marks: ReadonlyMap<string, string> = new Map([
  ["strong", "**"],
  ["b", "**"],
  ["em", "*"],
  ["i", "*"],
  ["del", "~~"],
]);

function inlineOf(node: ElementContent): string {
  if (node.type === "text") return node.value;
  if (!isElement(node)) return "";
  const { tagName, children, properties } = node;
  switch (tagName) {
    case "br":
      return "\n";
    case "code":
      return codeSpan(codeText(children));
    case "a":
      return isHeadingAnchor(node) ? "" : `[${inlineAll(children)}](${String(properties["href"] ?? "")})`;
    case "img":
      return String(properties["alt"] ?? "");
    case "input":
      return properties["checked"] ? "[x]" : "[ ]";
    case "button":
    case "svg":
    case "math":
      return "";
    default: {
      const mark = marks.get(tagName) ?? "";
      return mark + inlineAll(children) + mark;
    }
  }
}

/** The text of code, of which the highlighted lines are finished HTML. */
function codeText(nodes: readonly ElementContent[]): string {
  return nodes
    .map((node) => {
      if (node.type === "text") return node.value;
      if (isElement(node)) return codeText(node.children);
      return node.type === "raw" ? unescapeHtml(node.value.replace(/<[^>]*>/g, "")) : "";
    })
    .join("");
}
