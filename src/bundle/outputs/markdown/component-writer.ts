import type { Nodes, RootContent } from "mdast";
import { isImageData, isUnsafeUrl } from "../../../lib/url/index.js";
import type { JsxElement, PropValue } from "../../../page/content/index.js";
import type { LoadedKind } from "../../../site/links/index.js";
import { singleLine } from "./markdown.js";

/** What the writer of a page offers to the writers of its components. */
export interface ContentWriter {
  /** Blocks with a blank line between them. */
  blocks(nodes: readonly Nodes[]): string;
  /** Parts of a sentence, on one line. */
  inline(nodes: readonly Nodes[]): string;
  /** Content of a table cell: one line without a bare `|`. */
  cell(nodes: readonly Nodes[]): string;
  /** A property as one line of Markdown: text, a number, or JSX; empty for anything else. */
  prop(value: PropValue): string;
  /** A link as this page must write it; undefined if the value is not a link. With a `kind` the page loads its target. */
  href(value: PropValue, element: JsxElement, kind?: LoadedKind): string | undefined;
}

/** A component or HTML element, and its parts as Markdown. */
export interface Component {
  readonly name: string;
  readonly props: Readonly<Record<string, PropValue>>;
  /** The content, or the `children` property if there is no content. */
  readonly nodes: readonly Nodes[];
  readonly writer: ContentWriter;
  /** The content as blocks. */
  body(): string;
  /** The content as parts of a sentence. */
  line(): string;
  /** A property as one line of Markdown. */
  text(name: string): string;
  /** A link, or the link of a property. See `ContentWriter`. */
  href(value: PropValue, kind?: LoadedKind): string | undefined;
  /** An element of the content. */
  inner(element: JsxElement): Component;
}

/** Writes one component or HTML element as Markdown. */
export type WriteComponent = (component: Component) => string;

export function componentOf(element: JsxElement, writer: ContentWriter): Component {
  const props = element.data?.props ?? {};
  const nodes = contentOf(element);
  return {
    name: element.name ?? "",
    props,
    nodes,
    writer,
    body: () => writer.blocks(nodes),
    line: () => writer.inline(nodes),
    text: (name) => writer.prop(props[name]),
    href: (value, kind) => writer.href(value, element, kind),
    inner: (child) => componentOf(child, writer),
  };
}

export function contentOf(element: JsxElement): readonly Nodes[] {
  if (element.children.length > 0) return element.children;
  const prop = element.data?.props?.["children"];
  if (typeof prop === "string" || typeof prop === "number") return [{ type: "text", value: String(prop) }];
  return isJsxTree(prop) ? prop.children : [];
}

export const body: WriteComponent = (component) => component.body();
export const nothing: WriteComponent = () => "";

export function heading(level: number, component: Component): string {
  const text = singleLine(component.line());
  return text === "" ? "" : `${"#".repeat(level)} ${text}`;
}

export const joinBlocks = (...blocks: readonly string[]): string => blocks.filter((block) => block !== "").join("\n\n");
export const bold = (text: string): string => (text === "" ? "" : `**${text}**`);

/** `**Note:** text`; content that does not start with text goes below the label. */
export function labelled(label: string, text: string): string {
  if (text === "") return label;
  return /^(?:#{1,6} |[-*+] |\d+[.)] |>|`{3}|~{3}|\||---|\$\$)/.test(text) ? `${label}\n\n${text}` : `${label} ${text}`;
}

export const isElement = (node: Nodes): node is JsxElement =>
  node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";

/** Elements whose content is not text. */
const silent = new Set(["button", "svg", "style", "script"]);

/** A block in the middle of a line, without the marks that only work at its start. */
export const blockInLine = (block: string): string => ` ${singleLine(block).replace(/^(?:#{1,6} |> )+/, "")} `;

/** The text of raw HTML in a plain Markdown page. */
export const withoutTags = (html: string): string =>
  html
    .replace(/<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, "")
    .replace(/<br\s*\/?>/gi, "\\\n")
    .replace(/<\/?[A-Za-z][^<>]*>/g, "");

export const isJsxTree = (value: PropValue): value is { type: "jsxTree"; children: RootContent[] } =>
  typeof value === "object" && value !== null && "type" in value && value.type === "jsxTree";

export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** The text of a tree of any depth, for example of a code block. */
export function plainText(nodes: readonly Nodes[]): string {
  let out = "";
  const stack = [...nodes].reverse();
  while (stack.length > 0) {
    const node = stack.pop()!;
    const name = isElement(node) ? (node.name ?? "") : "";
    if ("value" in node && node.type !== "html") out += node.value;
    else if (node.type === "break" || name === "br") out += "\n";
    else if ("children" in node && !silent.has(name))
      for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
  return out;
}

/** Unsafe URLs, except images as data URLs. */
export const runsCode = (url: string): boolean => isUnsafeUrl(url) && !isImageData(url);
