import type { Element, ElementContent, Properties, Root, RootContent } from "hast";
import { unescapeHtml } from "../../lib/html/escape.js";
import { hastText, isHeadingAnchor } from "../components/index.js";
import { runsCode } from "./element-attributes.js";
import { isBlockElement } from "./handlers/paragraph.js";
import { breaksOutOfForeign, element, isBlank, joinRuns, voidElements } from "./nodes.js";
import type { PageRender } from "./page-render.js";

/** The place of an element, as far as it restricts the element. */
interface Place {
  readonly parent: string;
  readonly grandparent: string;
  /** Names of the restricting elements around it. */
  readonly within: ReadonlySet<string>;
  /** The `svg` or `math` around it, in which a parser follows other rules. */
  readonly foreign: "svg" | "math" | undefined;
  readonly componentParts: boolean;
  readonly nameLink: LinkNamer | undefined;
}

/** Elements that restrict all of their content. */
const restricting = new Set(["a", "button", "form", "nobr", "select"]);

/**
 * The last pass over a page's tree. It ensures that an HTML parser reads exactly the tree that is written: no link in a
 * link, no block in a `p`, complete tables, nothing that makes a parser leave an SVG or close the element around it. It
 * also removes every attribute that runs code, and component parts that nothing selects, and names links and buttons
 * that show only a picture.
 */
export function normalizeTree(
  tree: Root,
  { componentParts }: { readonly componentParts: boolean },
  nameLink?: LinkNamer,
): void {
  const place = {
    parent: "",
    grandparent: "",
    within: new Set<string>(),
    foreign: undefined,
    componentParts,
    nameLink,
  };
  tree.children = normalizeAll(tree.children as ElementContent[], place) as RootContent[];
}

/** Returns the same list if nothing in it has to change, which is the usual case. */
function normalizeAll(nodes: ElementContent[], place: Place): ElementContent[] {
  let out: ElementContent[] | undefined;
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]! as ElementContent | Root;
    const normalized = normalizeNode(node, place);
    if (normalized === node && out === undefined) continue;
    out ??= nodes.slice(0, i);
    if (Array.isArray(normalized)) out.push(...normalized);
    else out.push(normalized as ElementContent);
  }
  return out ?? nodes;
}

function normalizeNode(node: ElementContent | Root, place: Place): ElementContent | ElementContent[] {
  if (node.type === "element") return normalizeElement(node, place);
  if (node.type === "root") return normalizeAll(node.children as ElementContent[], place);
  if (node.type === "raw") {
    const isAllowed = place.foreign === (node.data?.isSvg ? "svg" : undefined) && !place.within.has("select");
    return isAllowed ? node : { type: "text", value: textOfHtml(node.value) };
  }
  return node.type === "text" ? node : [];
}

/** The text of finished HTML, for places that allow no elements. */
const textOfHtml = (html: string): string => unescapeHtml(html.replace(/<[^<>]*>/g, ""));

function normalizeElement(node: Element, place: Place): ElementContent | ElementContent[] {
  const { within, componentParts, nameLink } = place;
  const name = allowedName(node.tagName, place);
  if (place.foreign && name === "script") return [];
  // A heading inside a link must not contain a link to itself.
  if ((within.has("a") || within.has("button")) && isHeadingAnchor(node)) return [];
  if (name === undefined) return normalizeAll(node.children, place);
  const foreign = foreignAround(name, place);
  const inside = restricting.has(name) ? new Set(within).add(name) : within;
  const inner = { parent: name, grandparent: place.parent, within: inside, foreign, componentParts, nameLink };
  let children = normalizeAll(node.children, inner);
  if (!foreign) children = completeTable(name, children);
  if (name === "style") children = [tagless(children)];
  const isVoid = voidElements.has(name) && !place.foreign && children.length > 0;
  const tagName = name === "p" && children.some(isBlockElement) ? "div" : name;
  let properties = safeProperties(node, name, place);
  if (!place.foreign) {
    if (name === "a") properties = namedLink(properties, children, nameLink);
    else if (name === "button") properties = namedButton(properties, children);
  }
  if (isVoid) return [element(tagName, properties, []), ...children];
  const isSame = tagName === node.tagName && properties === node.properties && children === node.children;
  return isSame ? node : element(tagName, properties, children);
}

/** Elements of SVG and MathML whose content is HTML. */
const htmlInForeign = {
  svg: new Set(["foreignObject", "desc", "title"]),
  math: new Set(["mtext", "mi", "mo", "mn", "ms"]),
};

function foreignAround(name: string, { foreign }: Place): Place["foreign"] {
  if (foreign) return htmlInForeign[foreign].has(name) ? undefined : foreign;
  return name === "svg" || name === "math" ? name : undefined;
}

/** Elements that only some parents may contain: those parents, and the element's replacement in others, if any. */
const parentRules: ReadonlyMap<string, { readonly parents: RegExp; readonly otherwise?: string }> = new Map(
  (
    [
      ["li", /^(?:[uo]l|menu)$/, "div"],
      ["rb rtc", /^ruby$/, "span"],
      ["rt rp", /^(?:ruby|rtc)$/, "span"],
      ["option", /^(?!option$)/, undefined],
      ["optgroup", /^(?!opt)/, undefined],
      ["h1 h2 h3 h4 h5 h6", /^(?!h[1-6]$)/, "span"],
      ["thead tbody tfoot caption colgroup", /^table$/, "div"],
      ["tr", /^(?:table|thead|tbody|tfoot)$/, "div"],
      ["td th", /^(?:table|thead|tbody|tfoot|tr)$/, "div"],
      ["col", /^(?:table|colgroup)$/, undefined],
    ] as const
  ).flatMap(([names, parents, otherwise]) => names.split(" ").map((name) => [name, { parents, otherwise }])),
);

/** The name that the element may have in this place; undefined if only its content is allowed. */
function allowedName(name: string, { parent, grandparent, within, foreign }: Place): string | undefined {
  // SVG and MathML have no void elements, so a parser would read one of HTML as an opening tag.
  if (foreign) return breaksOutOfForeign.has(name) || voidElements.has(name) ? undefined : name;
  if (within.has("select")) {
    if (!/^(?:option|optgroup|script|hr)$/.test(name)) return undefined;
    if (name === "hr" && parent !== "select") return undefined;
  }
  switch (name) {
    case "a":
    case "button":
    case "nobr":
      return within.has(name) ? "span" : name;
    case "form":
      return within.has(name) ? "div" : name;
    case "image":
      return "img";
    case "dt":
    case "dd":
      return parent === "dl" || (parent === "div" && grandparent === "dl") ? name : "div";
  }
  const rule = parentRules.get(name);
  return rule === undefined || rule.parents.test(parent) ? name : rule.otherwise;
}

const partName = "data-component-part";

/** The properties that may be written; the same object if all may. */
function safeProperties(element: Element, tagName: string, place: Place): Properties {
  const { properties } = element;
  // This frequent change is made in place.
  if (!place.componentParts && partName in properties) properties[partName] = undefined;
  let safe = properties;
  const change = (name: string, value: Properties[string]): void => {
    if (safe === properties) safe = { ...properties };
    safe[name] = value;
  };
  for (const name in properties) {
    const value = properties[name];
    if (runsCode(tagName, name, value)) change(name, undefined);
    else if (value === true && /^aria[-A-Z]/.test(name)) change(name, "true");
    else if (place.within.has("a") && name === "dataZoom") change(name, undefined);
    else if (tagName !== element.tagName && /^(?:href|target|rel|type|aria-?label)$/i.test(name))
      change(name, undefined);
  }
  return safe;
}

function namedLink(
  properties: Properties,
  children: readonly ElementContent[],
  nameLink: LinkNamer | undefined,
): Properties {
  const { href } = properties;
  if (!nameLink || typeof href !== "string" || hasName(properties, children)) return properties;
  const name = nameLink(href);
  return name === undefined ? properties : { ...properties, "aria-label": name };
}

function namedButton(properties: Properties, children: readonly ElementContent[]): Properties {
  const name = hasName(properties, children) ? undefined : pictureName(children);
  return name === undefined ? properties : { ...properties, "aria-label": name };
}

/** Adds missing rows and cells, which HTML requires in a table. */
function completeTable(name: string, children: ElementContent[]): ElementContent[] {
  switch (name) {
    case "table":
      return wrapRuns(children.map(inColumnGroup), /^(?:caption|colgroup|thead|tbody|tfoot)$/, "tbody");
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

const inColumnGroup = (child: ElementContent): ElementContent =>
  child.type === "element" && child.tagName === "col" ? element("colgroup", {}, [child]) : child;

/** Wraps each run of siblings that are not allowed here in an element that is. White space is dropped. */
const wrapRuns = (children: readonly ElementContent[], allowed: RegExp, wrapper: string): ElementContent[] =>
  joinRuns(
    children.filter((child) => child.type !== "text" || !isBlank(child.value)),
    (child) => child.type !== "element" || !(allowed.test(child.tagName) || child.tagName === "script"),
    (run) => [element(wrapper, {}, completeTable(wrapper, run))],
  );

/** A parser reads the content of a style in SVG as markup, so it must not contain tags. */
const tagless = (children: readonly ElementContent[]): ElementContent => ({
  type: "text",
  value: hastText(children).replace(/<(?=[a-z/!?])/gi, "< "),
});

/** Names a link without text for screen readers: by the title of its page, its file or its host. */
export type LinkNamer = (href: string) => string | undefined;

export const createLinkNamer =
  ({ context: { plan, tools } }: PageRender): LinkNamer =>
  (href) => {
    const target = tools.addresses.resolve(href, { sourcePath: plan.outputPath });
    switch (target.kind) {
      case "page":
        return target.page.title;
      case "external":
        return /^https?:\/\/([^/?#]+)/i.exec(target.url)?.[1] ?? target.url.replace(/^[a-z]+:/i, "");
      case "self":
        return target.suffix.replace(/^.*#/s, "") || plan.title;
      case "file":
      case "missing":
        return target.outputPath.slice(target.outputPath.lastIndexOf("/") + 1);
      default:
        return undefined;
    }
  };

/** Whether screen readers can announce an element with these attributes and this content. */
export function hasName(properties: Properties, content: readonly ElementContent[]): boolean {
  if (nameAttributes.some((name) => isText(properties[name]))) return true;
  for (const node of content) {
    if (node.type === "text" && !isBlank(node.value)) return true;
    if (node.type === "raw" && (namedMarkup.test(node.value) || !isBlank(node.value.replace(/<[^<>]*>/g, ""))))
      return true;
    if (node.type !== "element" || isHidden(node.properties)) continue;
    if (isText(node.properties["alt"]) || hasName(node.properties, node.children)) return true;
  }
  return false;
}

/** A name for a button that shows only pictures: that of the first icon or image file, in words. */
export function pictureName(content: readonly ElementContent[]): string | undefined {
  for (const node of content) {
    if (node.type !== "element") continue;
    const { src } = node.properties;
    const file = node.tagName === "img" && typeof src === "string" ? fileStem.exec(src)?.[1] : undefined;
    const name = wordsOf(node.data?.iconName ?? file ?? "") || pictureName(node.children);
    if (name) return name;
  }
  return undefined;
}

/** The file name without its extension, except of copies from other hosts, which are named after a hash. */
const fileStem = /^(?!data:)(?!(?:.*\/)?_offprint\/)(?:[^?#]*\/)?([^/?#]+)\.\w+(?:$|[?#])/i;

/** `arrow-right` as `Arrow right`. */
const wordsOf = (name: string): string =>
  name
    .replace(/[-_]+/g, " ")
    .trim()
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

const nameAttributes = ["aria-label", "ariaLabel", "aria-labelledby", "ariaLabelledBy", "title"];
const namedMarkup = /\s(?:alt|aria-label|title)="[^"]*[^"\s]/;

const isText = (value: Properties[string]): boolean => value !== undefined && value !== null && !isBlank(String(value));
const isHidden = (properties: Properties): boolean =>
  String(properties["aria-hidden"] ?? properties["ariaHidden"]) === "true";
