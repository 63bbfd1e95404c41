/** The types of remark-rehype's handlers, which it does not export. */
import type { Element, ElementContent, Properties } from "hast";
import type { Nodes, Parents, RootContent } from "mdast";
import type { Options } from "remark-rehype";
import type { JsxElement } from "../content/index.js";
import names from "./names.json" with { type: "json" };
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

/** The page that is being rendered. */
export const pageOf = (state: State): PageRender => state.options.file?.data["page"] as PageRender;

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

/** Restores the line breaks that MDX drops between elements on lines of their own: their words must not join. */
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

/** Whether the node is a text-level element. */
export const isTag = (node: RootContent): boolean =>
  (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") && isTextElement(node.name ?? "");

/** Replaces each run of neighbours for which `isInRun` is true by the result of `join`. */
export function joinRuns<T>(nodes: readonly T[], isInRun: (node: T) => boolean, join: (run: T[]) => readonly T[]): T[] {
  const out: T[] = [];
  let run: T[] = [];
  for (const node of nodes)
    if (isInRun(node)) run.push(node);
    else {
      if (run.length > 0) out.push(...join(run));
      out.push(node);
      run = [];
    }
  return run.length > 0 ? [...out, ...join(run)] : out;
}

/** Elements that pages may use. A name with a hyphen is a custom element and always allowed. */
const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const html = words(names.html);
const svg = words(names.svg);
const math = words(names.math);
/** Elements that are dropped: they would load, redirect or reinterpret the document, or their content is not markup. */
const dropped = words(names.dropped);

/** SVG names by their lower-case form. */
const lowerCased = new Map([...svg].map((name) => [name.toLowerCase(), name]));

/** The element's name in HTML's spelling; undefined if there is no such element. */
export function elementName(written: string): string | undefined {
  if (html.has(written) || svg.has(written) || math.has(written)) return written;
  const lower = written.toLowerCase();
  if (written !== lower) return lowerCased.get(lower);
  if (lowerCased.has(lower)) return lowerCased.get(lower);
  return /^[a-z][a-z0-9.]*-[a-z0-9._-]*$/.test(written) ? written : undefined;
}
/** Whether HTML, SVG or MathML has an element of this name. Custom elements do not count. */
export const isElement = (name: string): boolean => !name.includes("-") && elementName(name) !== undefined;
export const isDropped = (name: string): boolean => dropped.has(name.toLowerCase());

export const voidElements = words(names.voidElements);

/** Elements at which an HTML parser closes an open `p`. */
export const blockElements = words(names.blockElements);

/** Text-level elements. A paragraph of only these elements stays a paragraph. */
export const textElements = words(names.textElements);
export const isTextElement = (name: string): boolean => textElements.has(name);

/** Elements that allow no blocks: paragraphs inside them are unwrapped. */
export const phrasingOnly = words(names.phrasingOnly);

/** HTML elements at which a parser leaves `svg` and `math`. */
export const breaksOutOfForeign = words(names.breaksOutOfForeign);
