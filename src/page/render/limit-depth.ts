import type { Nodes, Root, RootContent } from "mdast";
import type { JsxElement, PropValue } from "../content/index.js";
import { markdownText } from "./node-text.js";
import { isRecord, isTree } from "./prop-values.js";

/** Browsers flatten elements below level 512, and one component makes several levels. */
export const depthLimit = 120;

/**
 * The tree with everything below the limit replaced by its text, so that no later walk runs out of stack.
 * @param onCut called for each node that becomes text.
 */
export function limitDepth(tree: Root, onCut: (node: Nodes) => void): Root {
  const limit = (node: Nodes, left: number): Nodes => {
    if (!("children" in node)) return node;
    // The handlers of lists and tables need the items and cells.
    if (left === 0 || (left < 3 && (node.type === "table" || node.type === "list"))) {
      onCut(node);
      return { type: "text", value: markdownText(node.children) };
    }
    const isJsx = node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";
    const copy = isJsx ? withLimitedProps(node, left) : { ...node };
    return Object.assign(copy, { children: limitAll(node.children, left - 1) }) as Nodes;
  };
  const limitAll = (nodes: readonly Nodes[], left: number) => nodes.map((node) => limit(node, left) as RootContent);

  const withLimitedProps = (node: JsxElement, left: number): JsxElement => {
    const props = node.data?.props;
    if (!props) return { ...node };
    return { ...node, data: { ...node.data, props: limitValue(props, left) as Readonly<Record<string, PropValue>> } };
  };
  const limitValue = (value: PropValue, left: number): PropValue => {
    if (isTree(value)) return { type: "jsxTree", children: limitAll(value.children, Math.max(0, left - 1)) };
    if (Array.isArray(value)) return left === 0 ? undefined : value.map((each) => limitValue(each, left - 1));
    if (!isRecord(value)) return value;
    if (left === 0) return undefined;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, limitValue(each as PropValue, left - 1)]),
    );
  };
  return limit(tree, depthLimit) as Root;
}
