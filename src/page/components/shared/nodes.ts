/**
 * Checks the content that a component receives, and changes it to follow HTML's nesting rules. The checks do not
 * recurse, because content can be nested arbitrarily deep.
 */
import type { Element, ElementContent } from "hast";

export const isElement = (node: ElementContent): node is Element => node.type === "element";

/** The text of the nodes with white space collapsed. */
export const labelOf = (nodes: readonly ElementContent[] | undefined): string =>
  hastText(nodes).replace(/\s+/g, " ").trim();

/** The text of the nodes; raw HTML is ignored. */
export function hastText(nodes: readonly ElementContent[] | undefined): string {
  let text = "";
  walk(nodes, (node) => {
    if (node.type === "text") text += node.value;
    return true;
  });
  return text;
}

/** Whether anything is visible: text that is not blank, or an element. */
export const hasContent = (nodes: readonly ElementContent[] | undefined): nodes is ElementContent[] =>
  nodes?.some((node) => (node.type === "text" ? node.value.trim() !== "" : node.type !== "comment")) ?? false;

const interactive = "a|audio|button|details|embed|iframe|input|label|object|select|summary|textarea|video";
const interactiveTags = new Set(interactive.split("|"));
const interactiveMarkup = new RegExp(`<(?:${interactive})[\\s>]|\\stabindex=`, "i");

/** Whether a link or button must not contain these nodes. `asPhrasing` removes heading anchors. */
export function hasInteractive(nodes: readonly ElementContent[] | undefined): boolean {
  let isInteractive = false;
  walk(nodes, (node) => {
    if (node.type === "raw") isInteractive = interactiveMarkup.test(node.value);
    else if (isElement(node))
      isInteractive =
        (interactiveTags.has(node.tagName) && !isHeadingAnchor(node)) ||
        "tabIndex" in node.properties ||
        "tabindex" in node.properties;
    return !isInteractive;
  });
  return isInteractive;
}

export const isHeadingAnchor = ({ tagName, properties }: Element): boolean =>
  tagName === "a" && /(?:^|[ ,])heading-anchor(?:$|[ ,])/.test(String(properties["className"] ?? ""));

const phrasingTags = new Set(
  (
    "abbr b bdi bdo br cite code data del dfn em i img ins kbd mark math picture q ruby rp rt s samp small source span " +
    "strong sub sup svg time u var wbr"
  ).split(" "),
);

/** Makes nodes valid inside a `button`, `summary` or `p`: blocks and interactive elements become spans. */
export function asPhrasing(nodes: readonly ElementContent[], withLinks = false): ElementContent[] {
  return nodes.flatMap((node) => {
    if (!isElement(node) || node.tagName === "svg" || node.tagName === "math") return node;
    if (isHeadingAnchor(node)) return [];
    const children = asPhrasing(node.children, withLinks);
    if (phrasingTags.has(node.tagName) || (withLinks && node.tagName === "a")) return { ...node, children };
    const className = node.properties["className"];
    return { type: "element", tagName: "span", properties: className === undefined ? {} : { className }, children };
  });
}

function walk(nodes: readonly ElementContent[] | undefined, visit: (node: ElementContent) => boolean): void {
  if (nodes === undefined) return;
  const waiting = nodes.toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!visit(node)) return;
    if (isElement(node)) for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]!);
  }
}
