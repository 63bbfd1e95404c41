/** Untrusted Markdown: the descriptions in a specification. It is not MDX, and only text-level HTML is kept. */
import type { RootContent } from "mdast";
import type { MarkdownParsers } from "./markdown-parsers.js";
import { ParserLimitError } from "./parser-limits.js";

/** Elements that are kept. Others, and text that only looks like a tag (`<token>`), are shown as typed. */
const kept = new Set(
  (
    "a abbr b blockquote br caption center cite code col colgroup dd del details dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i " +
    "img ins kbd li mark ol p pre q s samp small span strike strong sub summary sup table tbody td tfoot th thead tr tt u " +
    "ul var"
  ).split(" "),
);
/** A longer piece of HTML is shown as text. */
const maxHtmlLength = 20_000;
/** Deeper Markdown is shown as text. */
const maxDepth = 40;

/** Blocks without positions. A text that is dangerous to parse (thousands of nested brackets) becomes one paragraph. */
export function readForeignMarkdown(parsers: MarkdownParsers, markdown: string): RootContent[] {
  if (!isSuspicious(markdown))
    try {
      return parsers.parseMarkdown(markdown).children.map((node) => cleaned(node, 0));
    } catch (error) {
      if (!(error instanceof ParserLimitError)) throw error;
    }
  return [{ type: "paragraph", children: [{ type: "text", value: markdown }] }];
}

/** Nesting costs the native parser time and stack. */
const isSuspicious = (markdown: string): boolean => /[>[(!]{200}|(?:[-*+>][ \t]+){200}|[*_~]{500}/.test(markdown);

function cleaned(node: RootContent, depth: number): RootContent {
  if (node.type === "html") return cleanedHtml(node.value);
  const { position: _, ...copy } = node;
  if ("children" in copy)
    (copy as { children: unknown }).children =
      depth < maxDepth ? (copy.children as RootContent[]).map((child) => cleaned(child, depth + 1)) : [];
  return copy as RootContent;
}

/** HTML with the kept tags, or text if no tag is kept. */
function cleanedHtml(html: string): RootContent {
  if (html.length > maxHtmlLength) return { type: "text", value: html };
  let hasTag = false;
  const value = html.replace(
    /<!--[\s\S]*?-->|<(\/?)([A-Za-z][\w-]*)((?:[\s/][^<>]*)?)>|</g,
    (written, slash: string | undefined, name: string | undefined, attributes: string | undefined) => {
      if (written.startsWith("<!--")) return "";
      if (name === undefined || !kept.has(name.toLowerCase())) return `&lt;${written.slice(1)}`;
      hasTag = true;
      return `<${slash}${name}${attributes}>`;
    },
  );
  return hasTag ? { type: "html", value } : { type: "text", value: html.replace(/<!--[\s\S]*?-->/g, "") };
}
