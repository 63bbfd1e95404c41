import type { ElementContent } from "hast";
import type { InlineCode, ListItem, Paragraph, Root, Text } from "mdast";
import { defaultHandlers, type Options } from "remark-rehype";
import { blockquote } from "./blockquote.js";
import { code, inlineMath, math } from "./code.js";
import { heading } from "./heading.js";
import { image, imageReference } from "./image.js";
import { island, islandSlot } from "./island.js";
import { jsx } from "./jsx.js";
import { link, linkReference } from "./link.js";
import { parseError } from "./page-notes.js";
import { inParagraphs, paragraph } from "./paragraph.js";
import { table } from "./table.js";
import type { Handler } from "./to-hast.js";

/**
 * Hides the page's tree from remark-rehype, whose search for definitions costs as much as the whole transformation.
 * `collectRequirements` has found them already.
 */
export interface HeldTree {
  type: "heldTree";
  tree: Root;
  /** The tree has inline content and no blocks. */
  inline: boolean;
}

const heldTree: Handler<HeldTree> = (state, node) => {
  // Nothing reads the positions of HTML nodes.
  state.patch = () => undefined;
  if (!node.inline) return node.tree.children.flatMap((child) => inParagraphs(state.one(child, node.tree)));
  // The root adds line breaks between its children but not inside them. Normalizing removes the inner root.
  return { type: "root", children: state.all(node.tree) } as unknown as ElementContent;
};

const text: Handler<Text> = (_, { value, data }) => ({
  type: "text",
  value: value.includes("\n") && data?.island === undefined ? value.split("\n").map(trimmedLine).join("\n") : value,
});

/** Spaces and tabs around a line break are dropped; other white space, such as non-breaking spaces, is kept. */
function trimmedLine(line: string, index: number, lines: readonly string[]): string {
  let start = 0;
  let end = line.length;
  if (index > 0) while (start < end && isIndent(line.charCodeAt(start))) start++;
  if (index < lines.length - 1) while (end > start && isIndent(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}
const isIndent = (code: number): boolean => code === 32 || code === 9 || code === 13;

/** A list item. The checkbox of a task gets a label that says whether it is done. */
const listItem: Handler<ListItem> = (state, node, parent) => {
  const item = defaultHandlers.listItem(state, node, parent);
  if (typeof node.checked === "boolean") nameBox(item.children, node.checked);
  return item;
};

function nameBox(children: readonly ElementContent[], checked: boolean): void {
  for (const child of children) {
    if (child.type !== "element") continue;
    if (child.tagName === "p") nameBox(child.children, checked);
    else if (child.tagName === "input") child.properties["ariaLabel"] = checked ? "Done" : "To do";
    else continue;
    return;
  }
}

/** Code. Browsers would break a line after the hyphens that an option begins with. */
const inlineCode: Handler<InlineCode> = (state, node) => {
  const element = defaultHandlers.inlineCode(state, node);
  const [code] = element.children;
  if (code?.type === "text" && code.value.includes("-"))
    element.children = code.value.split(option).flatMap((value, i): ElementContent[] => {
      const text = { type: "text", value } as const;
      if (value === "") return [];
      if (i % 2 === 0) return [text];
      return [{ type: "element", tagName: "span", properties: { className: ["unbroken"] }, children: [text] }];
    });
  return element;
};
/** So short that it fits on a phone. */
const option = /(?<![^\s=,(|[])(--?[A-Za-z][\w-]{0,30})(?![\w-])/;

const wordsIn =
  (tagName: string): Handler<Paragraph> =>
  (state, node): ElementContent => ({ type: "element", tagName, properties: {}, children: state.all(node) });

/** A handler for each node type that remark-rehype does not render the way we need. */
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
  emphasis: wordsIn("em"),
  strong: wordsIn("strong"),
  delete: wordsIn("del"),
  mdxJsxFlowElement: jsx,
  mdxJsxTextElement: jsx,
} as unknown as NonNullable<Options["handlers"]>;
