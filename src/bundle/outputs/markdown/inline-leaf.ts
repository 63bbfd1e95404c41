import type { PhrasingContent } from "mdast";
import { linkLabel } from "../escape.js";
import { codeSpan } from "./markdown.js";
import { withoutTags } from "./node-kinds.js";

/** Writes an inline node without children; empty for any other node. */
export function inlineLeaf(node: PhrasingContent): string {
  switch (node.type) {
    case "text":
      return node.value.replace(/\\?<(?=[A-Za-z/!?])/g, "\\<");
    case "inlineCode":
      return codeSpan(node.value);
    case "inlineMath":
      return `$${node.value}$`;
    case "break":
      return "\\\n";
    case "imageReference":
      return `![${linkLabel(node.alt ?? "")}][${node.label ?? node.identifier}]`;
    case "footnoteReference":
      return `[^${node.label ?? node.identifier}]`;
    case "html":
      return withoutTags(node.value);
    case "island":
      return node.name === undefined ? "" : codeSpan(node.name);
  }
  return "";
}
