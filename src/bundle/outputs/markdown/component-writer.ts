import type { Nodes } from "mdast";
import type { JsxElement, PropValue } from "../../../page/content/index.js";
import type { LoadedKind } from "../../../site/links/index.js";

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
  /** The content of the element, or its `children` property if it has no content. */
  children(element: JsxElement): readonly Nodes[];
  /** A link as this page must write it; undefined if the value is not a link. With a `kind` the page loads its target. */
  href(value: PropValue, element: JsxElement, kind?: LoadedKind): string | undefined;
}

/** Writes one component or HTML element as Markdown. */
export type WriteComponent = (element: JsxElement, writer: ContentWriter) => string;

export const propsOf = (element: JsxElement): Readonly<Record<string, PropValue>> => element.data?.props ?? {};

export const body: WriteComponent = (element, writer) => writer.blocks(writer.children(element));
export const nothing: WriteComponent = () => "";

export const joinBlocks = (...blocks: readonly string[]): string => blocks.filter((block) => block !== "").join("\n\n");
export const bold = (text: string): string => (text === "" ? "" : `**${text}**`);

/** `**Note:** text`; content that does not start with text goes below the label. */
export function labelled(label: string, text: string): string {
  if (text === "") return label;
  return /^(?:#{1,6} |[-*+] |\d+[.)] |>|`{3}|~{3}|\||---|\$\$)/.test(text) ? `${label}\n\n${text}` : `${label} ${text}`;
}

export const isElement = (node: Nodes, name: string): node is JsxElement =>
  (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") && node.name === name;
