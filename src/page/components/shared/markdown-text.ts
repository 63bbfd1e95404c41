import type { Element, ElementContent } from "hast";
import { codeSpan, fence, listItem, markdownTable, quote } from "../../../lib/markdown.js";
import { isElement, isHeadingAnchor } from "./nodes.js";

/**
 * Rendered content as Markdown, to copy: the visible text with the marks of headings, lists, emphasis, links and code.
 * Icons and controls are left out.
 */
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

/** A block without line breaks around it; undefined for inline elements. */
function blockOf(element: Element): string | undefined {
  const { tagName, children } = element;
  switch (tagName) {
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      return `${"#".repeat(Number(tagName[1]))} ${inlineAll(children).trim()}`;
    case "ul":
    case "ol":
      return itemsOf(element).join("\n");
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
    case "address":
    case "article":
    case "aside":
    case "details":
    case "div":
    case "dl":
    case "dd":
    case "dt":
    case "figcaption":
    case "figure":
    case "footer":
    case "header":
    case "li":
    case "main":
    case "nav":
    case "p":
    case "section":
      return markdownOf(children);
    default:
      return undefined;
  }
}

function itemsOf(list: Element): string[] {
  const first = Number(list.properties["start"] ?? 1);
  return list.children.filter(isElement).map((item, index) => {
    const mark = list.tagName === "ol" ? `${first + index}. ` : "- ";
    const text = markdownOf(item.children);
    // Keeps tight lists tight.
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

function inlineOf(node: ElementContent): string {
  if (node.type === "text") return node.value;
  if (!isElement(node)) return "";
  const { tagName, children, properties } = node;
  switch (tagName) {
    case "br":
      return "\n";
    case "strong":
    case "b":
      return `**${inlineAll(children)}**`;
    case "em":
    case "i":
      return `*${inlineAll(children)}*`;
    case "del":
      return `~~${inlineAll(children)}~~`;
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
    default:
      return inlineAll(children);
  }
}

/** Highlighted code is HTML already. */
function codeText(nodes: readonly ElementContent[]): string {
  return nodes
    .map((node) => {
      if (node.type === "text") return node.value;
      if (isElement(node)) return codeText(node.children);
      return node.type === "raw" ? node.value.replace(/<[^>]*>/g, "").replace(/&(lt|gt|amp);/g, characterOf) : "";
    })
    .join("");
}
const characters: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&" };
const characterOf = (_: string, name: string): string => characters[name]!;
