import type { Nodes } from "mdast";
import { codeSpan, fence, listItem, markdownLink, markdownTable, quote, wrap } from "../../../lib/markdown.js";
import type { JsxElement } from "../../../page/content/index.js";
import type { LoadedKind } from "../../../site/links/index.js";
import {
  body,
  type Component,
  heading,
  isElement,
  joinBlocks,
  nothing,
  plainText,
  type WriteComponent,
} from "./component-writer.js";
import { linkLabel, singleLine, withoutBlankLines } from "./markdown.js";

/** HTML elements of a page as Markdown; other elements show their content. */

const list =
  (ordered: boolean): WriteComponent =>
  ({ props, nodes, inner }) => {
    const start = Number(props["start"] ?? 1);
    const first = Number.isSafeInteger(start) && start >= 0 ? start : 1;
    const items = descendants(nodes, ["li"]).map((item) => inner(item).body() || " ");
    return items.map((item, i) => listItem(ordered ? `${first + i}. ` : "- ", item)).join("\n");
  };

const table: WriteComponent = ({ nodes, writer, inner }) => {
  const rows = descendants(nodes, ["tr"]).map((row) => descendants(row.children, ["th", "td"]));
  const texts = rows.map((row) => row.map((cell) => writer.cell(inner(cell).nodes)));
  const hasHead = rows[0]?.some((cell) => cell.name === "th") === true;
  const captions = descendants(nodes, ["caption"]).map((each) => inner(each).body());
  return joinBlocks(...captions, markdownTable(hasHead ? texts : [[], ...texts], []));
};

const pre: WriteComponent = ({ nodes, body }) =>
  nodes.some((node) => node.type === "code") ? body() : fence("", withoutBlankLines(plainText(nodes)));

const boldLine = (component: Component): string => wrap("**", singleLine(component.line()));

const details: WriteComponent = ({ nodes, writer, inner }) => {
  const [summary] = descendants(nodes, ["summary"]);
  const rest = writer.blocks(nodes.filter((node) => node !== summary && !holdsOnly(node, summary)));
  return joinBlocks(summary === undefined ? "" : boldLine(inner(summary)), rest);
};

const definitions: WriteComponent = ({ nodes, inner }) =>
  joinBlocks(
    ...descendants(nodes, ["dt", "dd"]).map((part) =>
      part.name === "dt" ? boldLine(inner(part)) : inner(part).body(),
    ),
  );

/** A video, audio or embedded page becomes a link to it. */
const media =
  (fallback: string, kind?: LoadedKind): WriteComponent =>
  ({ props, nodes, text, href, inner }) => {
    const [source] = descendants(nodes, ["source"]);
    const target = href(props["src"] ?? props["data"] ?? (source && inner(source).props["src"]), kind);
    const title = text("title") || text("aria-label") || fallback;
    return target === undefined ? "" : markdownLink(linkLabel(title), target);
  };

const image: WriteComponent = ({ props, href }) => {
  // A second image for dark mode adds nothing.
  const classes = String(props["className"] ?? props["class"] ?? "");
  if (/(?:^|\s)hidden(?:\s|$)/.test(classes) && /(?:^|\s)dark:(?:block|inline)/.test(classes)) return "";
  const target = href(props["src"], "image");
  return target === undefined ? "" : `!${markdownLink(linkLabel(String(props["alt"] ?? "")), target)}`;
};

const anchor: WriteComponent = ({ props, line, href }) => {
  const label = singleLine(line());
  const target = href(props["href"]);
  if (target === undefined) return label;
  return markdownLink(label === "" ? linkLabel(target) : label, target);
};

const wrapped =
  (mark: string): WriteComponent =>
  ({ line }) =>
    wrap(mark, line().replace(/\s+/g, " "));

/** `2<sup>53</sup>` must not become 253. */
const raised =
  (mark: string): WriteComponent =>
  ({ line }) => {
    const text = line();
    return /^[\p{L}\p{N}+−-]+$/u.test(text) ? mark + text : text;
  };

const code: WriteComponent = ({ nodes }) => codeSpan(plainText(nodes).trim());

const same = (names: string, write: WriteComponent) =>
  Object.fromEntries(names.split(" ").map((name) => [name, write]));

/** Elements that are always blocks. */
export const blockElements: Readonly<Record<string, WriteComponent>> = {
  ...same("address article aside center div figcaption figure footer header main nav p section", body),
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, (component: Component) => heading(level, component)]),
  ),
  audio: media("Audio", "media"),
  blockquote: ({ body }) => quote(body()),
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
  const elements: JsxElement[] = [];
  const stack = [...nodes].reverse();
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (isElement(node) && names.includes(node.name ?? "")) elements.push(node);
    else if ("children" in node) for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
  return elements;
}

/** A paragraph around nothing but this element. */
const holdsOnly = (node: Nodes, element: JsxElement | undefined): boolean =>
  node.type === "paragraph" && node.children.length === 1 && node.children[0] === element;
