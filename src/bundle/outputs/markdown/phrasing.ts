import type { Nodes } from "mdast";
import { blockComponents } from "./components.js";
import { lookUp } from "./node-kinds.js";

const phrasing = new Set(
  (
    "text emphasis strong delete inlineCode inlineMath break link image linkReference imageReference " +
    "footnoteReference html"
  ).split(" "),
);

/** Whether a node is part of a sentence. Block components never are. */
export function isPhrasing(node: Nodes): boolean {
  if (node.type === "mdxJsxTextElement") return !isBlockElement(node);
  if (node.type === "island") return node.inline;
  if (node.type === "islandSlot") return node.children.every(isPhrasing);
  return phrasing.has(node.type);
}

export const isBlockElement = (node: Nodes): boolean =>
  node.type === "mdxJsxTextElement" && lookUp(blockComponents, node.name ?? "") !== undefined;
