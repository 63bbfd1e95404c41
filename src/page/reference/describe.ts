import type { Heading, Paragraph, RootContent } from "mdast";
import { maxTextLength } from "../../site/specs/index.js";
import { clip, paragraph, text } from "./nodes.js";

const rememberedCount = 4_000;

export type Describer = ReturnType<typeof createDescriber>;

/** Reads descriptions, each text once, because specifications repeat them for many fields. */
export function createDescriber(readMarkdown: (text: string) => RootContent[]) {
  const known = new Map<string, RootContent[]>();
  const read = (markdown: string): RootContent[] => {
    const trimmed = clip(markdown, maxTextLength).trim();
    if (isPlain(trimmed)) return [paragraph(text(trimmed))];
    let nodes = known.get(trimmed);
    if (!nodes) {
      if (known.size >= rememberedCount) known.clear();
      nodes = readMarkdown(trimmed);
      known.set(trimmed, nodes);
    }
    return nodes;
  };
  return {
    /** Blocks of a field's description. Its headings are bold lines, because they are not in the page's outline. */
    field: (markdown: string | undefined): RootContent[] =>
      markdown === undefined ? [] : read(markdown).map((node) => (node.type === "heading" ? boldLine(node) : node)),
    /** Blocks of a page's description. Its headings are headings of the page, from the second level on. */
    page: (markdown: string): RootContent[] =>
      read(markdown).map((node) => (node.type === "heading" && node.depth === 1 ? { ...node, depth: 2 } : node)),
  };
}

/** Whether the text has no Markdown syntax. */
const isPlain = (markdown: string): boolean =>
  !/[*`~[\]<>\\{}@$\n\r|]|(?:^|\W)_|_(?:\W|$)|&#?\w+;|:\/\/|www\.|^[\s#+=-]|^\d+[.)]\s/.test(markdown);

const boldLine = (heading: Heading): Paragraph => ({
  type: "paragraph",
  children: [{ type: "strong", children: heading.children }],
});
