/** The types of remark-rehype's handlers, which it does not export. */
import type { Element, ElementContent, Properties } from "hast";
import type { Nodes, Parents, RootContent } from "mdast";
import type { Options } from "remark-rehype";
import type { JsxElement } from "../content/index.js";
import { isTextElement } from "./html-names.js";
import type { PageRender } from "./page-render.js";

type Handlers = NonNullable<Options["handlers"]>;
type AnyHandler = NonNullable<Handlers["text"]>;
export type State = Parameters<AnyHandler>[0];
type Parent = Parents | undefined;
export type Handler<T> = (state: State, node: T, parent: Parent) => ElementContent[] | ElementContent | undefined;

export const element = (tagName: string, properties: Properties, children: ElementContent[]): Element => ({
  type: "element",
  tagName,
  properties,
  children,
});

/** The page that this transformation renders. */
export const pageOf = (state: State): PageRender => state.options.file?.data["page"] as PageRender;

/** Renders nodes that are not the children of an mdast node. */
export const allOf = (state: State, children: readonly Nodes[]): ElementContent[] =>
  state.all({ type: "root", children: children as never[] });

/** The text of Markdown nodes at any depth: text, code and formulas, without properties. */
export function markdownText(nodes: readonly Nodes[]): string {
  let text = "";
  const waiting = nodes.toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
    if ("children" in node) for (let i = node.children.length - 1; i >= 0; i--) waiting.push(node.children[i]!);
    else if (node.type === "break") text += "\n";
    else if ("value" in node) text += node.value;
  return text;
}

export const isBlank = (text: string): boolean => !/\S/.test(text);

/** MDX drops the line break between elements on lines of their own, which would join the words in them. */
export function withLineBreaks(node: JsxElement): JsxElement {
  const children = node.children as readonly RootContent[];
  const isNextLine = (child: RootContent, i: number): boolean => {
    const before = children[i - 1];
    const end = before && isTag(before) && isTag(child) ? before.position?.end.line : undefined;
    return end !== undefined && end < (child.position?.start.line ?? 0);
  };
  if (node.data?.island !== undefined || !children.some(isNextLine)) return node;
  const broken = children.flatMap((child, i) =>
    isNextLine(child, i) ? [{ type: "text", value: "\n" } as const, child] : [child],
  );
  return { ...node, children: broken } as JsxElement;
}

const isTag = (node: RootContent): boolean =>
  (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") && isTextElement(node.name ?? "");
