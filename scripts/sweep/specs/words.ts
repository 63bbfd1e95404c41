// Text as words, so that a source and a page can be compared. A word is what stands between white space, without punctuation:
// highlighting, entities and quotation marks do not matter, but a lost or an added space does.
import type { Nodes } from "mdast";
import { type DefaultTreeAdapterMap, parseFragment } from "parse5";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";

type HtmlNode = DefaultTreeAdapterMap["node"];

/** Words with single spaces between them, and a space at each end; a text without words is a single space. */
export function wordsIn(text: string): string {
  let words = " ";
  for (const token of text.split(/\s+/u)) {
    const word = token.replace(/[^\p{L}\p{N}]+/gu, "");
    if (word !== "") words += `${word} `;
  }
  return words;
}

/** Elements that stand in a line of text; all others end a word before and after them. */
export const inlineElements = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span strike strong sub sup svg time tt u var wbr".split(
    " ",
  ),
);
/** Elements whose content is never text of a page. */
export const silentElements = new Set("script style template noscript iframe svg title head object".split(" "));

const markdown = unified().use(remarkParse).use(remarkGfm);

/** Elements of HTML and SVG; what else stands between angle brackets is a placeholder such as `<project>`, which is text. */
const knownElements = new Set([
  ...inlineElements,
  ...silentElements,
  ..."address article aside audio base blockquote body br button canvas caption center col colgroup datalist dd details dialog div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 header hgroup hr html img input legend li link main map menu meta meter nav ol optgroup option output p param picture pre progress rp rt ruby search section select slot source summary table tbody td textarea tfoot th thead tr track ul video wbr".split(
    " ",
  ),
]);
const withoutPlaceholders = (html: string, showsSilent: boolean, wrappers: ReadonlySet<string>): string =>
  html.replace(/<(?=\/?([a-z][^\s/>]*))/gi, (sign, name: string) => {
    const element = name.toLowerCase();
    const isKnown = knownElements.has(element) || wrappers.has(element);
    return isKnown && !(showsSilent && silentElements.has(element)) ? sign : "&lt;";
  });
/** Elements that wrap HTML without being of it, `<note><p>…</p></note>`, and callouts. */
function wrappersIn(text: string): ReadonlySet<string> {
  const closed = [...text.matchAll(/<\/([a-z][\w-]*)\s*>/gi)].map(([, name]) => name!.toLowerCase());
  const isHtml = closed.some((name) => knownElements.has(name));
  return new Set(closed.filter((name) => isHtml || /^(?:note|tip|info|warning|check|danger|callout)$/.test(name)));
}

/**
 * The paragraphs, items, cells, headings and code blocks of a text in CommonMark with HTML, each as words, in order.
 * With `showsSilent`, names of elements without text, such as `<iframe>`, are words: authors often mean them so.
 */
export function blocksIn(written: string, showsSilent = false): string[] {
  // What the first line is indented by, no line is; the first line of an alert, as GitHub has them, is its kind.
  const [indentation = ""] = /^[ \t]+(?=\S)/.exec(written.replace(/^\s*\n/, "")) ?? [];
  const text = `\n${written}`
    .replaceAll(`\n${indentation}`, "\n")
    .replace(/^(\s*>\s*)\[!\w+\]/gm, "$1")
    // Text between the tags of a callout is Markdown.
    .replace(/^<\/?(?:note|tip|info|warning|check|danger|callout)\b[^>]*>$/gim, "\n$&\n");
  const blocks: string[] = [];
  const wrappers = wrappersIn(text);
  let current = "";
  const end = (): void => {
    const words = wordsIn(current);
    if (words !== " ") blocks.push(words);
    current = "";
  };
  const inHtml = (node: HtmlNode): void => {
    if (node.nodeName === "#text" && "value" in node) current += node.value;
    if (!("childNodes" in node) || silentElements.has(node.nodeName)) return;
    const isBlock = !inlineElements.has(node.nodeName) && !node.nodeName.startsWith("#");
    if (node.nodeName === "br") current += " ";
    else if (isBlock) end();
    for (const child of node.childNodes) inHtml(child);
    if (isBlock && node.nodeName !== "br") end();
  };
  const sourceOf = ({ position }: Nodes): string =>
    text.slice(position!.start.offset, position!.end.offset).trimStart();
  const visit = (node: Nodes): void => {
    if (node.type === "text" || node.type === "inlineCode") current += node.value;
    else if (node.type === "break") current += " ";
    else if (node.type === "html") {
      // An end tag within a paragraph stands alone, so it has no element.
      const closed = /^<\/([a-z][\w-]*)/i.exec(node.value)?.[1]?.toLowerCase();
      if (closed !== undefined && closed !== "br" && knownElements.has(closed) && !inlineElements.has(closed)) end();
      inHtml(parseFragment(withoutPlaceholders(node.value, showsSilent, wrappers)));
    } else if (node.type === "code" && isIndentedHtml(node.value) && !/^[`~]/.test(sourceOf(node))) {
      end();
      inHtml(parseFragment(withoutPlaceholders(node.value, showsSilent, wrappers)));
      end();
    } else if (node.type === "code") {
      end();
      current = node.value;
      end();
    } else if ("children" in node) {
      const isBlock = blockNodes.has(node.type);
      if (isBlock) end();
      for (const child of node.children) visit(child as Nodes);
      if (isBlock) end();
    }
  };
  visit(markdown.parse(text) as Nodes);
  end();
  return blocks;
}

const blockNodes = new Set("root paragraph heading blockquote list listItem table tableRow tableCell".split(" "));

/** Whether indented text, which is code in CommonMark, is HTML that its author has only indented. */
function isIndentedHtml(code: string): boolean {
  const element = /^\s*<([a-z][a-z\d]*)[^>]*>/i.exec(code)?.[1]?.toLowerCase() ?? "";
  return knownElements.has(element) && !inlineElements.has(element);
}
