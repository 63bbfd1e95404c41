import type { Heading, Paragraph, RootContent } from "mdast";
import { repeatsTitle, trimmedMarkdown } from "../../lib/plain-text.js";
import { paragraph, text } from "./nodes.js";

const maxCachedTexts = 4_000;

export type Describer = ReturnType<typeof createDescriber>;

/** Reads descriptions. Each text is read once, because specifications repeat them for many fields. */
export function createDescriber(readMarkdown: (text: string) => RootContent[]) {
  const cache = new Map<string, RootContent[]>();
  const read = (markdown: string): RootContent[] => {
    const trimmed = trimmedMarkdown(markdown);
    if (isPlain(trimmed)) return [paragraph(text(trimmed))];
    let nodes = cache.get(trimmed);
    if (!nodes) {
      if (cache.size >= maxCachedTexts) cache.clear();
      nodes = readMarkdown(withAlerts(trimmed));
      cache.set(trimmed, nodes);
    }
    return nodes;
  };
  return {
    /** Blocks of a field's description. Headings become bold lines, because the page's outline does not list them. */
    field: (markdown: string | undefined): RootContent[] =>
      markdown === undefined ? [] : read(markdown).map((node) => (node.type === "heading" ? boldLine(node) : node)),
    /** Blocks of a page's description. Its headings start at the second level. */
    page: (markdown: string): RootContent[] =>
      read(markdown).map((node) => (node.type === "heading" && node.depth === 1 ? { ...node, depth: 2 } : node)),
  };
}

/** A callout of Redocly: `{% admonition type="warning" name="Title" %}`. */
const admonition = /\{%\s{0,9}admonition\b([^%\n]{0,500})%\}([\s\S]{0,20000}?)\{%\s{0,9}\/\s{0,9}admonition\s{0,9}%\}/g;
const alertOf = new Map(Object.entries({ warning: "WARNING", danger: "CAUTION", success: "TIP" }));

/** The text with such callouts as the quotes that Markdown has for them. */
const withAlerts = (markdown: string): string =>
  markdown.includes("{%")
    ? markdown.replace(admonition, (_, attributes: string, content: string) => {
        const [, type = ""] = /\btype="(\w+)"/.exec(attributes) ?? [];
        const [, name] = /\bname="([^"]*)"/.exec(attributes) ?? [];
        const lines = [`[!${alertOf.get(type) ?? "NOTE"}]`, ...(name ? [`**${name}**`, ""] : []), content.trim()];
        return `\n\n${lines.join("\n").replace(/^/gm, "> ")}\n\n`;
      })
    : markdown;

/** Whether the text has no Markdown syntax. */
const isPlain = (markdown: string): boolean =>
  !/[*`~[\]<>\\{}@$\n\r|]|(?:^|\W)_|_(?:\W|$)|&#?\w+;|:\/\/|www\.|^[\s#+=-]|^\d+[.)]\s/.test(markdown);

const boldLine = (heading: Heading): Paragraph => ({
  type: "paragraph",
  children: [{ type: "strong", children: heading.children }],
});

/** The part of a description that is neither the page's title nor the line below it (`description`). */
export function restOfDescription(
  whole: string | undefined,
  { title, description: shown }: { readonly title?: string; readonly description?: string },
  read: (markdown: string) => RootContent[],
): RootContent[] {
  if (whole === undefined) return [];
  const text = trimmedMarkdown(whole);
  const [first = ""] = text.split(/\r?\n[ \t]*\r?\n/, 1);
  const isRepeated = shown === undefined && title !== undefined && repeatsTitle(first, title);
  const rest = text.slice(isRepeated ? first.length : lengthOfStart(text, shown?.trim() ?? "")).trim();
  return rest === "" ? [] : read(rest);
}

/** How much of a text's start is already shown, ignoring line breaks; 0 if it starts differently. */
function lengthOfStart(text: string, shown: string): number {
  let at = 0;
  for (const word of shown.split(/\s+/)) {
    if (!text.startsWith(word, at)) return 0;
    gap.lastIndex = at + word.length;
    at = gap.lastIndex + gap.exec(text)![0].length;
  }
  return at;
}

/** White space, and the backslash of a hard line break. */
const gap = /(?:\s|\\(?=\r?\n))*/y;
