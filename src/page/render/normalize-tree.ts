import type { Element, ElementContent, Properties, Root, RootContent } from "hast";
import { hastText, isHeadingAnchor } from "../components/index.js";
import { hasName, type LinkNamer, pictureName } from "./accessible-name.js";
import { runsCode } from "./element-attributes.js";
import { isBlockElement } from "./handlers/paragraph.js";
import { breaksOutOfForeign, voidElements } from "./html-names.js";
import { isBlank } from "./nodes.js";

/** The ancestors of an element that restrict its content. */
interface Around {
  readonly parent: string;
  /** The element around the parent. */
  readonly outer: string;
  readonly link: boolean;
  readonly button: boolean;
  readonly form: boolean;
  readonly nobr: boolean;
  readonly select: boolean;
  /** The foreign element around it, in which a parser follows other rules. */
  readonly foreign: "svg" | "math" | undefined;
  readonly componentParts: boolean;
  readonly nameOf: LinkNamer | undefined;
}

const nothing: Around = {
  parent: "",
  outer: "",
  link: false,
  button: false,
  form: false,
  nobr: false,
  select: false,
  foreign: undefined,
  componentParts: true,
  nameOf: undefined,
};

/**
 * The last pass over a page's tree. It makes sure that an HTML parser reads exactly the tree that is written: no link
 * in a link, no block in a `p`, complete tables, nothing that makes a parser leave an SVG or ends the element around it. It
 * also removes every attribute that runs code, wherever it comes from, and names of parts that nothing selects. Links and
 * buttons that show only a picture get a name.
 */
export function normalizeTree(
  tree: Root,
  { componentParts }: { readonly componentParts: boolean },
  nameOf?: LinkNamer,
): void {
  const around = { ...nothing, componentParts, nameOf };
  tree.children = normalizeAll(tree.children as ElementContent[], around) as RootContent[];
}

/** Returns the same list if nothing in it has to change, which holds for most of a page. */
function normalizeAll(nodes: ElementContent[], around: Around): ElementContent[] {
  let out: ElementContent[] | undefined;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]! as ElementContent | Root;
    const made = normalizeNode(node, around);
    if (made === node && out === undefined) continue;
    out ??= nodes.slice(0, i);
    if (Array.isArray(made)) out.push(...made);
    else out.push(made as ElementContent);
  }
  return out ?? nodes;
}

function normalizeNode(node: ElementContent | Root, around: Around): ElementContent | ElementContent[] {
  if (node.type === "element") return normalizeElement(node, around);
  if (node.type === "root") return normalizeAll(node.children as ElementContent[], around);
  if (node.type === "raw") {
    const isPlaced = around.foreign === (node.data?.isSvg ? "svg" : undefined) && !around.select;
    return isPlaced ? node : { type: "text", value: textOfHtml(node.value) };
  }
  return node.type === "text" ? node : [];
}

/** The text of finished HTML, for a place that allows no elements. */
const textOfHtml = (html: string): string =>
  html.replace(/<[^<>]*>/g, "").replace(/&(amp|lt|gt|quot);/g, (_, name: keyof typeof references) => references[name]);
const references = { amp: "&", lt: "<", gt: ">", quot: '"' } as const;

function normalizeElement(element: Element, around: Around): ElementContent | ElementContent[] {
  const name = placedName(element, around);
  if (around.foreign && name === "script") return [];
  // A heading inside a link must not contain a link to itself.
  if ((around.link || around.button) && isHeadingAnchor(element)) return [];
  if (name === undefined) return normalizeAll(element.children, around);
  const foreign = foreignOf(name, around);
  const inner: Around = {
    parent: name,
    outer: around.parent,
    link: around.link || name === "a",
    button: around.button || name === "button",
    form: around.form || name === "form",
    nobr: around.nobr || name === "nobr",
    select: around.select || name === "select",
    foreign,
    componentParts: around.componentParts,
    nameOf: around.nameOf,
  };
  let children = normalizeAll(element.children, inner);
  if (!foreign) children = completeTable(name, children);
  if (name === "style") children = [tagless(children)];
  const isVoid = voidElements.has(name) && !around.foreign && children.length > 0;
  const tagName = name === "p" && children.some(isBlockElement) ? "div" : name;
  let properties = safeProperties(element, name, around);
  if (!around.foreign) {
    if (name === "a") properties = namedLink(properties, children, around);
    else if (name === "button") properties = namedButton(properties, children);
  }
  if (isVoid) return [{ type: "element", tagName, properties, children: [] }, ...children];
  const isSame = tagName === element.tagName && properties === element.properties && children === element.children;
  return isSame ? element : { type: "element", tagName, properties, children };
}

/** Elements of SVG and MathML whose content is HTML. */
const htmlInForeign = {
  svg: new Set(["foreignObject", "desc", "title"]),
  math: new Set(["mtext", "mi", "mo", "mn", "ms"]),
};

function foreignOf(name: string, { foreign }: Around): Around["foreign"] {
  if (foreign) return htmlInForeign[foreign].has(name) ? undefined : foreign;
  return name === "svg" || name === "math" ? name : undefined;
}

/** The element name that is allowed in this place; undefined where only the content is. */
function placedName(element: Element, around: Around): string | undefined {
  const name = element.tagName;
  const { parent } = around;
  // A parser takes a void element of HTML for one that goes on, since SVG and MathML have no such elements.
  if (around.foreign) return breaksOutOfForeign.has(name) || voidElements.has(name) ? undefined : name;
  if (around.select && !/^(?:option|optgroup|script|hr)$/.test(name)) return undefined;
  switch (name) {
    case "a":
      return around.link ? "span" : name;
    case "button":
      return around.button ? "span" : name;
    case "form":
      return around.form ? "div" : name;
    case "hr":
      return around.select && parent !== "select" ? undefined : name;
    case "nobr":
      return around.nobr ? "span" : name;
    case "option":
      return parent === "option" ? undefined : name;
    case "optgroup":
      return /^opt/.test(parent) ? undefined : name;
    case "rb":
    case "rtc":
      return parent === "ruby" ? name : "span";
    case "rt":
    case "rp":
      return /^(?:ruby|rtc)$/.test(parent) ? name : "span";
    case "li":
      return /^(?:[uo]l|menu)$/.test(parent) ? name : "div";
    case "dt":
    case "dd":
      return parent === "dl" || (parent === "div" && around.outer === "dl") ? name : "div";
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      return /^h[1-6]$/.test(parent) ? "span" : name;
    case "image":
      return "img";
    case "td":
    case "th":
      return /^(?:table|thead|tbody|tfoot|tr)$/.test(parent) ? name : "div";
    case "tr":
      return /^(?:table|thead|tbody|tfoot)$/.test(parent) ? name : "div";
    case "thead":
    case "tbody":
    case "tfoot":
    case "caption":
    case "colgroup":
      return parent === "table" ? name : "div";
    case "col":
      return /^(?:table|colgroup)$/.test(parent) ? name : undefined;
    default:
      return name;
  }
}

const partName = "data-component-part";

/** The properties that may be written; the same object if all may. */
function safeProperties(element: Element, tagName: string, around: Around): Properties {
  const { properties } = element;
  // In place: no other change is so frequent.
  if (!around.componentParts && partName in properties) properties[partName] = undefined;
  let safe = properties;
  const change = (name: string, value: Properties[string]): void => {
    if (safe === properties) safe = { ...properties };
    safe[name] = value;
  };
  for (const name in properties) {
    const value = properties[name];
    if (runsCode(tagName, name, value)) change(name, undefined);
    else if (value === true && /^aria[-A-Z]/.test(name)) change(name, "true");
    else if (around.link && name === "dataZoom") change(name, undefined);
    else if (tagName !== element.tagName && /^(?:href|target|rel|type|aria-?label)$/i.test(name))
      change(name, undefined);
  }
  return safe;
}

function namedLink(properties: Properties, children: readonly ElementContent[], { nameOf }: Around): Properties {
  const { href } = properties;
  if (!nameOf || typeof href !== "string" || hasName(properties, children)) return properties;
  const name = nameOf(href);
  return name === undefined ? properties : { ...properties, "aria-label": name };
}

function namedButton(properties: Properties, children: readonly ElementContent[]): Properties {
  const name = hasName(properties, children) ? undefined : pictureName(children);
  return name === undefined ? properties : { ...properties, "aria-label": name };
}

/** Adds the rows and cells that HTML requires in a table. */
function completeTable(name: string, children: ElementContent[]): ElementContent[] {
  switch (name) {
    case "table":
      return wrapRuns(children.map(inColumns), /^(?:caption|colgroup|thead|tbody|tfoot)$/, "tbody");
    case "colgroup":
      return children.filter((child) => child.type === "element" && child.tagName === "col");
    case "thead":
    case "tbody":
    case "tfoot":
      return wrapRuns(children, /^tr$/, "tr");
    case "tr":
      return wrapRuns(children, /^t[dh]$/, "td");
    default:
      return children;
  }
}

/** A column outside of a group gets one. */
const inColumns = (child: ElementContent): ElementContent =>
  child.type === "element" && child.tagName === "col"
    ? { type: "element", tagName: "colgroup", properties: {}, children: [child] }
    : child;

/** Wraps neighbours that are not allowed here in one element that is. White space is dropped. */
function wrapRuns(children: readonly ElementContent[], allowed: RegExp, wrapper: string): ElementContent[] {
  const out: ElementContent[] = [];
  let run: ElementContent[] = [];
  const flush = (): void => {
    if (run.length > 0) {
      const inner = completeTable(wrapper, run);
      out.push({ type: "element", tagName: wrapper, properties: {}, children: inner });
    }
    run = [];
  };
  for (const child of children)
    if (child.type === "text" && isBlank(child.value)) continue;
    else if (child.type === "element" && (allowed.test(child.tagName) || child.tagName === "script")) {
      flush();
      out.push(child);
    } else run.push(child);
  flush();
  return out;
}

/** A style in SVG is parsed as markup and not as text, so no tag may begin in it. */
const tagless = (children: readonly ElementContent[]): ElementContent => ({
  type: "text",
  value: hastText(children).replace(/<(?=[a-z/!?])/gi, "< "),
});
