import type { ElementContent, RootContent } from "hast";
import type { Nodes } from "mdast";

/** Text as read aloud, white space joined to single blanks; drawings and other raw HTML give none. */
export const labelOf = (nodes: readonly (ElementContent | RootContent)[]): string =>
  textOf(nodes).replace(/\s+/g, " ").trim();

export function textOf(nodes: readonly (ElementContent | RootContent)[]): string {
  let text = "";
  for (const node of nodes)
    if (node.type === "text") text += node.value;
    else if (node.type === "element") text += textOf(node.children);
  return text;
}

/** All text of Markdown nodes: values of text, code and formulas, not what stands in properties. Of any depth. */
export function markdownText(nodes: readonly Nodes[]): string {
  let text = "";
  const waiting = nodes.toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
    if ("children" in node) for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]!);
    else if (node.type === "break") text += "\n";
    else if ("value" in node && node.type !== "liveCode") text += node.value;
  return text;
}

export const isBlank = (text: string): boolean => !/\S/.test(text);
