import type { PhrasingContent, Root, RootContent } from "mdast";
import { createMemo } from "../../lib/memo.js";

/** Reads the short Markdown of properties and settings, such as captions, descriptions and banners. */
export type InlineReader = (markdown: string) => PhrasingContent[];

/** Parses Markdown to nodes without positions, which may include blocks. */
export type InlineParser = (markdown: string) => Root;

/** Line breaks replace the ends of paragraphs. Plain text is not parsed. */
export function createInlineReader(parse: InlineParser): InlineReader {
  const parsed = createMemo<PhrasingContent[]>(1000);
  return (markdown) =>
    isPlain(markdown)
      ? [{ type: "text", value: markdown }]
      : parsed(markdown, () => phrasingOf(parse(markdown).children));
}

/** Whether the text has no Markdown syntax. */
export const isPlain = (text: string): boolean =>
  !/[*`~[\]<>\\{}@$\n\r]|(?:^|\W)_|_(?:\W|$)|&#?\w+;|:\/\/|www\.|^[\s#+=-]|\s$|^\d+[.)]\s/.test(text);

function phrasingOf(blocks: readonly RootContent[]): PhrasingContent[] {
  const out: PhrasingContent[] = [];
  for (const block of blocks) {
    if (block.type === "definition") continue;
    if (out.length > 0) out.push({ type: "break" });
    // An element alone on its line has no paragraph around it in MDX. Other blocks stay blocks.
    const nodes = block.type === "paragraph" ? block.children : [block];
    out.push(...(nodes.flatMap(withoutScripts) as PhrasingContent[]));
  }
  return out;
}

/** Shows HTML as text, and drops scripts and styles: only the body of a page may contain them. */
function withoutScripts(node: RootContent): RootContent[] {
  if (node.type === "html") return [{ type: "text", value: node.value }];
  if (!("children" in node)) return [node];
  const isJsx = node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";
  if (isJsx && /^(?:script|style)$/i.test(node.name ?? "")) return [];
  return [{ ...node, children: (node.children as RootContent[]).flatMap(withoutScripts) } as RootContent];
}
