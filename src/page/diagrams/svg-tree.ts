import { escapeHtml, escapeMarkup, unescapeHtml } from "../../lib/html/escape.js";

/** A parsed SVG. It contains only syntax that the parser knows. */
export interface SvgElement {
  readonly name: string;
  readonly attributes: Map<string, string>;
  children: (SvgElement | string)[];
}

const tagOrText =
  /<\/([A-Za-z][\w:-]*)\s*>|<([A-Za-z][\w:-]*)((?:\s+[\w:.-]+(?:="[^"]*")?)*)\s*(\/?)>|<!--[\s\S]*?-->|([^<]+)/y;

/** Parses SVG as a DOM serializes it. @throws {SyntaxError} for anything else, or more than 200 levels. */
export function parseSvg(text: string): SvgElement {
  const root: SvgElement = { name: "", attributes: new Map(), children: [] };
  const open = [root];
  tagOrText.lastIndex = 0;
  while (tagOrText.lastIndex < text.length) {
    const match = tagOrText.exec(text);
    if (!match) throw new SyntaxError("The diagram is not well-formed SVG.");
    const [, closed, opened, attributes, isEmpty, words] = match;
    const parent = open.at(-1)!;
    if (words !== undefined) parent.children.push(unescapeHtml(words));
    else if (closed !== undefined) {
      if (parent.name !== closed || open.length < 2)
        throw new SyntaxError(`The diagram closes "${closed}" in the wrong place.`);
      open.pop();
    } else if (opened !== undefined) {
      const element: SvgElement = { name: opened, attributes: readAttributes(attributes ?? ""), children: [] };
      parent.children.push(element);
      if (isEmpty || (opened === "br" && !text.startsWith("</br", tagOrText.lastIndex))) continue;
      open.push(element);
      if (open.length > 200) throw new SyntaxError("The diagram is nested too deeply.");
    }
  }
  const svg = root.children.find((child) => typeof child !== "string" && child.name === "svg");
  if (open.length !== 1 || !svg) throw new SyntaxError("The diagram is not a complete SVG.");
  return svg as SvgElement;
}

function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name, value] of text.matchAll(/([\w:.-]+)(?:="([^"]*)")?/g))
    attributes.set(name!, unescapeHtml(value ?? ""));
  return attributes;
}

export function printSvg(element: SvgElement): string {
  const parts: string[] = [];
  const print = (node: SvgElement | string): void => {
    if (typeof node === "string") {
      parts.push(escapeMarkup(node));
      return;
    }
    parts.push(`<${node.name}`);
    for (const [name, value] of node.attributes) parts.push(` ${name}="${escapeHtml(value)}"`);
    if (node.children.length === 0) {
      parts.push("/>");
      return;
    }
    parts.push(">");
    for (const child of node.children) print(child);
    parts.push(`</${node.name}>`);
  };
  print(element);
  return parts.join("");
}

/** Elements in document order, each with its ancestors, outermost first. */
export function* walkSvg(
  element: SvgElement,
  ancestors: readonly SvgElement[] = [],
): Generator<readonly [SvgElement, readonly SvgElement[]]> {
  yield [element, ancestors];
  const path = [...ancestors, element];
  for (const child of element.children) if (typeof child !== "string") yield* walkSvg(child, path);
}

/** Text of an element; rows of text are separated by a space. */
export function textOfSvg(node: SvgElement | string): string {
  if (typeof node === "string") return node;
  const isRow = node.name === "tspan" && (node.attributes.has("dy") || node.attributes.has("x"));
  return `${isRow ? " " : ""}${node.children.map(textOfSvg).join("")}`;
}
