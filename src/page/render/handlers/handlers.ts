import type { ElementContent } from "hast";
import type { Blockquote, InlineCode, ListItem, Paragraph, Root, Text } from "mdast";
import { defaultHandlers, type Options } from "remark-rehype";
import type { JsxElement } from "../../content/index.js";
import { element, type Handler, pageOf } from "../nodes.js";
import { renderComponent } from "../render-component.js";
import { code, inlineMath, math } from "./code.js";
import { heading } from "./heading.js";
import { image, imageReference } from "./image.js";
import { island, islandSlot, parseError } from "./island.js";
import { jsx } from "./jsx.js";
import { link, linkReference } from "./link.js";
import { inParagraphs, paragraph } from "./paragraph.js";
import { table } from "./table.js";

/** Hides the tree from remark-rehype, whose slow search for definitions `collectRequirements` replaces. */
export interface HeldTree {
  type: "heldTree";
  tree: Root;
  /** Whether the tree has inline content and no blocks. */
  inline: boolean;
}

const heldTree: Handler<HeldTree> = (state, node) => {
  // Nothing reads the positions of HTML nodes.
  state.patch = () => undefined;
  if (!node.inline) return node.tree.children.flatMap((child) => inParagraphs(state.one(child, node.tree)));
  // remark-rehype puts line breaks between the children of the outer root. `normalizeTree` removes this inner root.
  return { type: "root", children: state.all(node.tree) } as unknown as ElementContent;
};

/** Trims white space around line breaks, except in `<pre>` and in the output of a live component. */
const text: Handler<Text> = (state, { value, data }) =>
  data?.island === undefined && !data?.isExact && value.includes("\n")
    ? defaultHandlers.text(state, { type: "text", value: value.replaceAll("\r\n", "\n") })
    : { type: "text", value };

/** Labels the checkbox of a task. */
const listItem: Handler<ListItem> = (state, node, parent) => {
  const item = defaultHandlers.listItem(state, node, parent);
  if (typeof node.checked === "boolean") labelCheckbox(item.children, node.checked);
  return item;
};

function labelCheckbox(children: readonly ElementContent[], checked: boolean): void {
  for (const child of children) {
    if (child.type !== "element") continue;
    if (child.tagName === "p") labelCheckbox(child.children, checked);
    else if (child.tagName === "input") child.properties["ariaLabel"] = checked ? "Done" : "To do";
    else continue;
    return;
  }
}

/** Keeps command-line options together, since browsers break lines after hyphens. */
const inlineCode: Handler<InlineCode> = (state, node) => {
  const rendered = defaultHandlers.inlineCode(state, node);
  const [code] = rendered.children;
  if (code?.type === "text" && code.value.includes("-"))
    rendered.children = code.value.split(option).flatMap((value, i): ElementContent[] => {
      const text = { type: "text", value } as const;
      if (value === "") return [];
      if (i % 2 === 0) return [text];
      return [element("span", { className: ["unbroken"] }, [text])];
    });
  return rendered;
};

/** An option that fits on a line of a phone. */
const option = /(?<![^\s=,(|[])(--?[A-Za-z][\w-]{0,30})(?![\w-])/;

const elementHandler =
  (tagName: string): Handler<Paragraph> =>
  (state, node) =>
    element(tagName, {}, state.all(node));

const blockquote: Handler<Blockquote> = (state, node) => {
  const alert = alertOf(node);
  const definition = alert && pageOf(state).context.tools.components.get(alert.name as string);
  if (alert && definition) return renderComponent(state, alert, definition);
  return element("blockquote", {}, state.wrap(state.all(node), true));
};

/** The components that render quotes such as `> [!NOTE]`. */
const alerts: Readonly<Record<string, string>> = {
  NOTE: "Note",
  TIP: "Tip",
  IMPORTANT: "Info",
  WARNING: "Warning",
  CAUTION: "Danger",
};

/** Handlers for the node types that remark-rehype does not render as we need. */
export const handlers = {
  heldTree,
  text,
  paragraph,
  heading,
  blockquote,
  listItem,
  table,
  link,
  linkReference,
  image,
  imageReference,
  code,
  inlineCode,
  math,
  inlineMath,
  island,
  islandSlot,
  parseError,
  emphasis: elementHandler("em"),
  strong: elementHandler("strong"),
  delete: elementHandler("del"),
  mdxJsxFlowElement: jsx,
  mdxJsxTextElement: jsx,
} as unknown as NonNullable<Options["handlers"]>;

/** Converts a quote to a callout component; undefined for an ordinary quote. */
function alertOf(node: Blockquote): JsxElement | undefined {
  const [first, ...rest] = node.children;
  const opening = first?.type === "paragraph" ? first.children[0] : undefined;
  if (opening?.type !== "text") return undefined;
  const match = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\r?\n|$)/i.exec(opening.value);
  if (!match) return undefined;
  const text: Text = { ...opening, value: opening.value.slice(match[0].length) };
  const after = (first as Paragraph).children.slice(1);
  // The line break after the mark is a `break` if two spaces precede it.
  if (text.value === "" && after[0]?.type === "break") after.shift();
  const words = text.value === "" ? after : [text, ...after];
  return {
    type: "mdxJsxFlowElement",
    name: alerts[match[1]!.toUpperCase()]!,
    attributes: [],
    children: words.length > 0 ? [{ type: "paragraph", children: words }, ...rest] : rest,
    position: node.position,
    data: { props: {}, sourcePath: node.data?.sourcePath },
  } as JsxElement;
}
