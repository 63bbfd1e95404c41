import allowed from "./allow-list.json" with { type: "json" };
import { readDeclarations } from "./diagram-css.js";
import { withTokens } from "./placeholder-colors.js";
import type { SvgElement } from "./svg-tree.js";
import { type OwnStyles, shadeOf } from "./user-colors.js";

const elements = new Set(allowed.elements);
const attributes = new Set(allowed.attributes);
/** Colours that Mermaid uses in any theme. */
const fixedColors: Readonly<Record<string, string>> = allowed.fixedColors;

/**
 * A copy with the elements, attributes and values of an allow-list, in the colours of the theme; undefined for an
 * element that is not allowed. Inline styles go to `styles`.
 */
export function copyAllowed(node: SvgElement | string, styles: OwnStyles): SvgElement | string | undefined {
  if (typeof node === "string") return node;
  if (!elements.has(node.name)) return undefined;
  const href = node.attributes.get("href") ?? node.attributes.get("xlink:href") ?? "";
  const isLink = node.name === "a" && /^https?:\/\/[^\s"'<>\\]+$/i.test(href);
  const element: SvgElement = {
    name: node.name === "a" && !isLink ? "g" : node.name,
    attributes: new Map(),
    children: [],
  };
  for (const [name, written] of node.attributes) {
    if (!attributes.has(name)) continue;
    const value = allowedValue(node, name, written);
    if (value !== undefined) element.attributes.set(name, value);
  }
  if (isLink) for (const pair of linkAttributes(href)) element.attributes.set(...pair);
  else if (node.name === "use") {
    if (!/^#[\w-]+$/.test(href)) return undefined;
    element.attributes.set("href", href);
  }
  const style = readDeclarations(node.attributes.get("style") ?? "");
  const shade =
    node.name === "rect" && node.attributes.get("class") === "rect"
      ? shadeOf(node.attributes.get("fill") ?? "")
      : undefined;
  if (shade) style.push({ property: "fill", value: shade });
  if (style.length > 0) styles.set(element, style);
  for (const child of node.children) {
    const copy = copyAllowed(child, styles);
    if (copy !== undefined) element.children.push(copy);
  }
  return element;
}

const linkAttributes = (href: string): [string, string][] => [
  ["href", href],
  ["target", "_blank"],
  ["rel", "noopener noreferrer"],
];

function allowedValue(element: SvgElement, name: string, value: string): string | undefined {
  if (name === "id") return /^[\w-]+$/.test(value) ? value : undefined;
  if (name === "class")
    return (
      value
        .split(/\s+/)
        .filter((each) => /^[A-Za-z_][\w-]*$/.test(each) && !(element.name === "text" && boxClass.test(each)))
        .join(" ") || undefined
    );
  if (/url|[\\<>;:{}]/i.test(value)) return /^url\(#[\w-]+\)$/.test(value) ? value : undefined;
  if (name === "fill" || name === "stroke" || name === "stop-color") {
    const fixed = fixedColors[`${name} ${value.toLowerCase()}`];
    if (element.name === "text" && fixed !== undefined) return "var(--diagram-text)";
    return fixed ?? withTokens(value);
  }
  if (value.includes("NaN") || value.includes("Infinity")) return undefined;
  if (element.name === "svg" && value.includes("%")) return undefined;
  return value.replace(/\d+\.\d{3,}/g, (number) => String(Math.round(Number(number) * 100) / 100));
}

/** Classes that fill boxes; Mermaid also puts them on the text in the boxes. */
const boxClass = /^(?:section|task)-type-/;
