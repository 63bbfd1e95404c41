import type { PhrasingContent, Root, RootContent } from "mdast";

/** Reads the short Markdown of properties and settings, such as captions, descriptions and banners. */
export type InlineReader = (markdown: string) => PhrasingContent[];

/** Parses a Markdown text to nodes without positions; blocks may be among them. */
export type InlineParser = (markdown: string) => Root;

const maxKnownTexts = 1000;

/** Several paragraphs are divided by line breaks. Plain text is not parsed. */
export function createInlineReader(parse: InlineParser): InlineReader {
  const known = new Map<string, PhrasingContent[]>();
  return (markdown) => {
    if (isPlain(markdown)) return [{ type: "text", value: markdown }];
    let nodes = known.get(markdown);
    if (!nodes) {
      if (known.size >= maxKnownTexts) known.clear();
      nodes = phrasingOf(parse(markdown).children);
      known.set(markdown, nodes);
    }
    return nodes;
  };
}

/** Whether Markdown would show a text exactly as it is. */
export const isPlain = (text: string): boolean =>
  !/[*`~[\]<>\\{}@$\n\r]|(?:^|\W)_|_(?:\W|$)|&#?\w+;|:\/\/|www\.|^[\s#+=-]|\s$|^\d+[.)]\s/.test(text);

function phrasingOf(blocks: readonly RootContent[]): PhrasingContent[] {
  const out: PhrasingContent[] = [];
  for (const block of blocks) {
    if (block.type === "definition") continue;
    if (out.length > 0) out.push({ type: "break" });
    // MDX makes no paragraph around an element alone on its line. Other blocks are shown as blocks.
    const nodes = block.type === "paragraph" ? block.children : [block];
    out.push(...(nodes.flatMap(withoutScripts) as PhrasingContent[]));
  }
  return out;
}

/** HTML is shown as text, and scripts and styles are dropped: only the text of a page itself may hold them. */
function withoutScripts(node: RootContent): RootContent[] {
  if (node.type === "html") return [{ type: "text", value: node.value }];
  if (!("children" in node)) return [node];
  const isJsx = node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";
  if (isJsx && /^(?:script|style)$/i.test(node.name ?? "")) return [];
  return [{ ...node, children: (node.children as RootContent[]).flatMap(withoutScripts) } as RootContent];
}
