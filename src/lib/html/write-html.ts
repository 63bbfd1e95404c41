import type { Element, Nodes, Properties, Root } from "hast";
import { find, html, type Schema, svg } from "property-information";
import type { Plugin } from "unified";
import { escapeAttribute, escapeText } from "./escape.js";

const voidElements = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

/** Elements of SVG that contain HTML. */
const holdsHtml = new Set(["foreignObject", "desc", "title"]);

/**
 * Writes a hast tree as HTML. Raw nodes are written as they are; comments and doctypes, which our trees never contain,
 * are dropped.
 *
 * For 1,000 pages of prose and code this takes a fifth of the time of hast-util-to-html, which handles any tree and looks up
 * every attribute.
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

/** Appends strings to `out`, which are joined once at the end: concatenating on each level would copy the text each time. */
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

type Value = Properties[string];

/** Writes one attribute with a space before it, or nothing if the value means that the attribute is absent. */
type Writer = (value: Value, out: string[]) => void;

/** Separators in a tag: an attribute name that contains one would become several. */
const notInName = /[\s"'<>/=\p{Cc}]/u;

const htmlWriters = new Map<string, Writer>();
const svgWriters = new Map<string, Writer>();

/** Writes all attributes of an element to `out`. Looks up each property's name only once. */
function writeAttributes(properties: Properties, inSvg: boolean, out: string[]): void {
  const writers = inSvg ? svgWriters : htmlWriters;
  for (const property in properties) {
    const value = properties[property];
    if (value === null || value === undefined || value === false) continue;
    let write = writers.get(property);
    if (!write) {
      write = createWriter(inSvg ? svg : html, property);
      // The bound exists because a site may use any number of names.
      if (writers.size < 2000) writers.set(property, write);
    }
    write(value, out);
  }
}

function createWriter(schema: Schema, property: string): Writer {
  const info = find(schema, property);
  const { attribute } = info;
  if (attribute === "" || notInName.test(attribute)) return () => {};
  const bare = ` ${attribute}`;
  const opened = `${bare}="`;
  const separator = info.commaSeparated ? ", " : " ";
  return (value, out) => {
    if (value === true || (info.overloadedBoolean && value === "")) out.push(bare);
    else if (
      (info.boolean || info.overloadedBoolean) &&
      (typeof value !== "string" || value === attribute || value === "")
    ) {
      if (value) out.push(bare);
    } else if (typeof value !== "number" || !Number.isNaN(value))
      out.push(opened, escapeAttribute(Array.isArray(value) ? value.join(separator) : String(value)), '"');
  };
}
