import type { PhrasingContent, Root, RootContent } from "mdast";
import { createMemo } from "../../lib/memo.js";

/** Reads the short Markdown of properties and settings, such as captions, descriptions and banners. */
export type InlineReader = (markdown: string) => PhrasingContent[];

/** Parses a Markdown text to nodes without positions; blocks may be among them. */
export type InlineParser = (markdown: string) => Root;

/** Paragraphs are separated by line breaks. Plain text is not parsed. */
export function createInlineReader(parse: InlineParser): InlineReader {
  const parsed = createMemo<PhrasingContent[]>(1000);
  return (markdown) =>
    isPlain(markdown)
      ? [{ type: "text", value: markdown }]
      : parsed(markdown, () => phrasingOf(parse(markdown).children));
}

/** Whether Markdown would show a text exactly as it is. */
export const isPlain = (text: string): boolean =>
  !/[*`~[\]<>\\{}@$\n\r]|(?:^|\W)_|_(?:\W|$)|&#?\w+;|:\/\/|www\.|^[\s#+=-]|\s$|^\d+[.)]\s/.test(text);

function phrasingOf(blocks: readonly RootContent[]): PhrasingContent[] {
  const out: PhrasingContent[] = [];
  for (const block of blocks) {
    if (block.type === "definition") continue;
    if (out.length > 0) out.push({ type: "break" });
    // MDX makes no paragraph around an element that is alone on its line. Other blocks stay blocks.
    const nodes = block.type === "paragraph" ? block.children : [block];
    out.push(...(nodes.flatMap(withoutScripts) as PhrasingContent[]));
  }
  return out;
}

/** HTML is shown as text, and scripts and styles are dropped: only a page's own text may contain them. */
function withoutScripts(node: RootContent): RootContent[] {
  if (node.type === "html") return [{ type: "text", value: node.value }];
  if (!("children" in node)) return [node];
  const isJsx = node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";
  if (isJsx && /^(?:script|style)$/i.test(node.name ?? "")) return [];
  return [{ ...node, children: (node.children as RootContent[]).flatMap(withoutScripts) } as RootContent];
}
