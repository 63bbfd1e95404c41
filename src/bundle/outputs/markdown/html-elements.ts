import type { Nodes } from "mdast";
import type { JsxElement } from "../../../page/content/index.js";
import { linkLabel } from "../escape.js";
import { body, type ContentWriter, joinBlocks, nothing, propsOf, type WriteComponent } from "./component-writer.js";
import {
  codeSpan,
  fence,
  listItem,
  markdownLink,
  markdownTable,
  quote,
  singleLine,
  withoutBlankLines,
  wrap,
} from "./markdown.js";
import { plainText } from "./node-kinds.js";

/** HTML elements written in a page, as Markdown; the rest shows its content. */

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

/** A film, a sound, a page of another site: a link to it. */
const media =
  (fallback: string): WriteComponent =>
  (element, writer) => {
    const props = propsOf(element);
    const source = descendants(writer.children(element), ["source"])[0];
    const src = props["src"] ?? props["data"] ?? (source === undefined ? undefined : propsOf(source)["src"]);
    const href = writer.href(src, element);
    const title = writer.prop(props["title"]) || writer.prop(props["aria-label"]) || fallback;
    return href === undefined ? "" : markdownLink(linkLabel(title), href);
  };

const image: WriteComponent = (element, writer) => {
  const props = propsOf(element);
  // A second image for the dark mode adds nothing.
  const classes = String(props["className"] ?? props["class"] ?? "");
  if (/(?:^|\s)hidden(?:\s|$)/.test(classes) && /(?:^|\s)dark:(?:block|inline)/.test(classes)) return "";
  const href = writer.href(props["src"], element);
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

/** Elements that are blocks wherever they stand. */
export const blockElements: Readonly<Record<string, WriteComponent>> = {
  address: body,
  article: body,
  aside: body,
  audio: media("Audio"),
  blockquote: (element, writer) => quote(body(element, writer)),
  center: body,
  details,
  div: body,
  dl: definitions,
  embed: media("Embedded content"),
  figcaption: body,
  figure: body,
  footer: body,
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
  header: body,
  hr: () => "---",
  iframe: media("Embedded page"),
  main: body,
  nav: body,
  object: media("Embedded content"),
  ol: list(true),
  p: body,
  pre,
  section: body,
  table,
  ul: list(false),
  video: media("Video"),
};

export const inlineElements: Readonly<Record<string, WriteComponent>> = {
  a: anchor,
  b: wrapped("**"),
  br: () => "\\\n",
  canvas: nothing,
  code,
  del: wrapped("~~"),
  em: wrapped("*"),
  i: wrapped("*"),
  img: image,
  input: nothing,
  kbd: code,
  link: nothing,
  meta: nothing,
  noscript: nothing,
  s: wrapped("~~"),
  samp: code,
  script: nothing,
  source: nothing,
  strike: wrapped("~~"),
  strong: wrapped("**"),
  style: nothing,
  sub: raised("_"),
  sup: raised("^"),
  svg: nothing,
  template: nothing,
  track: nothing,
  wbr: nothing,
};

/** The nearest elements of these names, in order, through whatever wraps them; not those inside one another. */
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
