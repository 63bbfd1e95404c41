import type { Nodes } from "mdast";
import type { JsxElement } from "../../../page/content/index.js";
import type { LoadedKind } from "../../../site/links/index.js";
import {
  body,
  type ContentWriter,
  joinBlocks,
  nothing,
  plainText,
  propsOf,
  type WriteComponent,
} from "./component-writer.js";
import {
  codeSpan,
  fence,
  linkLabel,
  listItem,
  markdownLink,
  markdownTable,
  quote,
  singleLine,
  withoutBlankLines,
  wrap,
} from "./markdown.js";

/** HTML elements of a page as Markdown; other elements show their content. */

const line = (element: JsxElement, writer: ContentWriter) => writer.inline(writer.children(element));
const heading =
  (level: number): WriteComponent =>
  (element, writer) => {
    const text = singleLine(line(element, writer));
    return text === "" ? "" : `${"#".repeat(level)} ${text}`;
  };

const list =
  (ordered: boolean): WriteComponent =>
  (element, writer) => {
    const start = Number(propsOf(element)["start"] ?? 1);
    const first = Number.isSafeInteger(start) && start >= 0 ? start : 1;
    const items = descendants(writer.children(element), ["li"]);
    return items.map((item, i) => listItem(ordered ? `${first + i}. ` : "- ", body(item, writer) || " ")).join("\n");
  };

const table: WriteComponent = (element, writer) => {
  const rows = descendants(writer.children(element), ["tr"]).map((row) => descendants(row.children, ["th", "td"]));
  const texts = rows.map((row) => row.map((cell) => writer.cell(writer.children(cell))));
  const hasHead = rows[0]?.some((cell) => cell.name === "th") === true;
  const caption = descendants(writer.children(element), ["caption"]).map((each) => body(each, writer));
  return joinBlocks(...caption, markdownTable(hasHead ? texts : [[], ...texts], []));
};

const pre: WriteComponent = (element, writer) => {
  const nodes = writer.children(element);
  if (nodes.some((node) => node.type === "code")) return writer.blocks(nodes);
  return fence("", withoutBlankLines(plainText(nodes)));
};

const details: WriteComponent = (element, writer) => {
  const nodes = writer.children(element);
  const summary = descendants(nodes, ["summary"])[0];
  const rest = writer.blocks(nodes.filter((node) => node !== summary && !holdsOnly(node, summary)));
  const title = summary === undefined ? "" : wrap("**", singleLine(line(summary, writer)));
  return joinBlocks(title, rest);
};

const definitions: WriteComponent = (element, writer) => {
  const parts = descendants(writer.children(element), ["dt", "dd"]).map((part) =>
    part.name === "dt" ? wrap("**", singleLine(line(part, writer))) : body(part, writer),
  );
  return joinBlocks(...parts);
};

/** A video, audio or embedded page becomes a link to it. */
const media =
  (fallback: string, kind?: LoadedKind): WriteComponent =>
  (element, writer) => {
    const props = propsOf(element);
    const source = descendants(writer.children(element), ["source"])[0];
    const src = props["src"] ?? props["data"] ?? (source === undefined ? undefined : propsOf(source)["src"]);
    const href = writer.href(src, element, kind);
    const title = writer.prop(props["title"]) || writer.prop(props["aria-label"]) || fallback;
    return href === undefined ? "" : markdownLink(linkLabel(title), href);
  };

const image: WriteComponent = (element, writer) => {
  const props = propsOf(element);
  // A second image for dark mode adds nothing.
  const classes = String(props["className"] ?? props["class"] ?? "");
  if (/(?:^|\s)hidden(?:\s|$)/.test(classes) && /(?:^|\s)dark:(?:block|inline)/.test(classes)) return "";
  const href = writer.href(props["src"], element, "image");
  return href === undefined ? "" : `!${markdownLink(linkLabel(String(props["alt"] ?? "")), href)}`;
};

const anchor: WriteComponent = (element, writer) => {
  const label = singleLine(line(element, writer));
  const href = writer.href(propsOf(element)["href"], element);
  if (href === undefined) return label;
  return markdownLink(label === "" ? linkLabel(href) : label, href);
};

const wrapped =
  (mark: string): WriteComponent =>
  (element, writer) =>
    wrap(mark, line(element, writer).replace(/\s+/g, " "));

/** `2<sup>53</sup>` must not become 253. */
const raised =
  (mark: string): WriteComponent =>
  (element, writer) => {
    const text = line(element, writer);
    return /^[\p{L}\p{N}+−-]+$/u.test(text) ? mark + text : text;
  };

const code: WriteComponent = (element, writer) => codeSpan(plainText(writer.children(element)).trim());

const same = (names: string, write: WriteComponent) =>
  Object.fromEntries(names.split(" ").map((name) => [name, write]));

/** Elements that are always blocks. */
export const blockElements: Readonly<Record<string, WriteComponent>> = {
  ...same("address article aside center div figcaption figure footer header main nav p section", body),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, heading(level)])),
  audio: media("Audio", "media"),
  blockquote: (element, writer) => quote(body(element, writer)),
  details,
  dl: definitions,
  embed: media("Embedded content"),
  hr: () => "---",
  iframe: media("Embedded page"),
  object: media("Embedded content"),
  ol: list(true),
  pre,
  table,
  ul: list(false),
  video: media("Video", "media"),
};

export const inlineElements: Readonly<Record<string, WriteComponent>> = {
  ...same("canvas input link meta noscript script source style svg template track wbr", nothing),
  ...same("b strong", wrapped("**")),
  ...same("em i", wrapped("*")),
  ...same("del s strike", wrapped("~~")),
  ...same("code kbd samp", code),
  a: anchor,
  br: () => "\\\n",
  img: image,
  sub: raised("_"),
  sup: raised("^"),
};

/** The outermost elements of these names in page order, at any depth. */
function descendants(nodes: readonly Nodes[], names: readonly string[]): JsxElement[] {
  const found: JsxElement[] = [];
  const stack = [...nodes].reverse();
  while (stack.length > 0) {
    const node = stack.pop()!;
    const isElement = node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";
    if (isElement && names.includes(node.name ?? "")) found.push(node);
    else if ("children" in node) for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
  return found;
}

/** A paragraph around nothing but this element. */
const holdsOnly = (node: Nodes, element: JsxElement | undefined): boolean =>
  node.type === "paragraph" && node.children.length === 1 && node.children[0] === element;
