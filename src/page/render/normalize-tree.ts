import type { Element, ElementContent, Properties, Root, RootContent } from "hast";
import { hastText, isHeadingAnchor } from "../components/index.js";
import { runsCode } from "./element-attributes.js";
import { breaksOutOfDrawing, voidElements } from "./html-names.js";
import { isBlank } from "./node-text.js";
import { isBlockElement } from "./paragraph.js";

/** What stands around an element, as far as it decides what may stand in it. */
interface Around {
  readonly parent: string;
  readonly link: boolean;
  readonly button: boolean;
  readonly form: boolean;
  /** Inside one of these, where a parser knows other rules. */
  readonly drawing: "svg" | "math" | undefined;
}

/**
 * The last pass over a page's tree. Makes sure that an HTML parser will read the very tree that is written: no link in
 * a link, no block in a `p`, tables complete, nothing that throws a parser out of a drawing. And that nothing in it
 * runs code, whichever way it came in.
 */
export function normalizeTree(tree: Root): void {
  const around = { parent: "", link: false, button: false, form: false, drawing: undefined };
  tree.children = normalizeAll(tree.children as ElementContent[], around) as RootContent[];
}

/** The same list where nothing in it had to change, as in most of a page. */
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
  return node.type === "text" || node.type === "raw" ? node : [];
}

function normalizeElement(element: Element, around: Around): ElementContent | ElementContent[] {
  const name = placedName(element, around);
  if (around.drawing && name === "script") return [];
  // A heading within a link leads where the link leads, and not to itself.
  if ((around.link || around.button) && isHeadingAnchor(element)) return [];
  if (name === undefined) return normalizeAll(element.children, around);
  const drawing = inDrawing(name, around);
  const inner: Around = {
    parent: name,
    link: around.link || name === "a",
    button: around.button || name === "button",
    form: around.form || name === "form",
    drawing,
  };
  let children = normalizeAll(element.children, inner);
  if (!drawing) children = completeTable(name, children);
  if (name === "style") children = [tagless(children)];
  const isVoid = voidElements.has(name) && !around.drawing && children.length > 0;
  const tagName = name === "p" && children.some(isBlockElement) ? "div" : name;
  const properties = safeProperties(element, name, around);
  if (isVoid) return [{ type: "element", tagName, properties, children: [] }, ...children];
  const isSame = tagName === element.tagName && properties === element.properties && children === element.children;
  return isSame ? element : { type: "element", tagName, properties, children };
}

/** Elements of a drawing whose content is HTML again. */
const htmlInDrawing = {
  svg: new Set(["foreignObject", "desc", "title"]),
  math: new Set(["mtext", "mi", "mo", "mn", "ms"]),
};

function inDrawing(name: string, { drawing }: Around): Around["drawing"] {
  if (drawing) return htmlInDrawing[drawing].has(name) ? undefined : drawing;
  return name === "svg" || name === "math" ? name : undefined;
}

/** The name under which an element can stand where it is; undefined where only its content can. */
function placedName(element: Element, around: Around): string | undefined {
  const name = element.tagName;
  if (around.drawing) {
    return breaksOutOfDrawing.has(name) ? undefined : name;
  }
  switch (name) {
    case "a":
      return around.link ? "span" : name;
    case "button":
      return around.button ? "span" : name;
    case "form":
      return around.form ? "div" : name;
    case "li":
      return /^(?:[uo]l|menu)$/.test(around.parent) ? name : "div";
    case "dt":
    case "dd":
      return /^(?:dl|div)$/.test(around.parent) ? name : "div";
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      return /^h[1-6]$/.test(around.parent) ? "span" : name;
    case "image":
      return "img";
    case "td":
    case "th":
    case "tr":
    case "thead":
    case "tbody":
    case "tfoot":
    case "caption":
    case "colgroup":
    case "col":
      return /^(?:table|thead|tbody|tfoot|tr|colgroup)$/.test(around.parent)
        ? name
        : name === "col"
          ? undefined
          : "div";
    default:
      return name;
  }
}

/** Properties as they may be written; the same object where all may. */
function safeProperties(element: Element, tagName: string, around: Around): Properties {
  const { properties } = element;
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

/** Rows and cells that HTML wants around what a table holds. */
function completeTable(name: string, children: ElementContent[]): ElementContent[] {
  switch (name) {
    case "table":
      return wrapRuns(children, /^(?:caption|colgroup|col|thead|tbody|tfoot)$/, "tbody");
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

/** Puts neighbours that may not stand here into one element that may; blanks between are dropped. */
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

/** In drawings, and in old parsers in more places, a style is parsed as markup and not as text: no tag may begin in it. */
const tagless = (children: readonly ElementContent[]): ElementContent => ({
  type: "text",
  value: hastText(children).replace(/<(?=[a-z/!?])/gi, "< "),
});
