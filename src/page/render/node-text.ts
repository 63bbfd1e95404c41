import type { Nodes } from "mdast";

/** All text of Markdown nodes at any depth: text, code and formulas, but no properties. */
export function markdownText(nodes: readonly Nodes[]): string {
  let text = "";
  const waiting = nodes.toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
    if ("children" in node) for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]!);
    else if (node.type === "break") text += "\n";
    else if ("value" in node) text += node.value;
  return text;
}

export const isBlank = (text: string): boolean => !/\S/.test(text);
