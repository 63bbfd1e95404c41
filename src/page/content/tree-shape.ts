/** Where nodes are allowed in a tree, and how misplaced nodes are corrected. */
import type { Paragraph, PhrasingContent, RootContent } from "mdast";
import { Stop } from "./expressions/values.js";

/**
 * In MDX, a paragraph of only JSX, expressions and white space is no paragraph: its elements are blocks.
 * @returns those blocks; undefined for a real paragraph.
 */
export function liftLoneJsx(paragraph: Paragraph): RootContent[] | undefined {
  const out: RootContent[] = [];
  for (const child of paragraph.children) {
    if (child.type === "mdxJsxTextElement") out.push({ ...child, type: "mdxJsxFlowElement" } as RootContent);
    else if (child.type === "mdxTextExpression") out.push({ ...child, type: "mdxFlowExpression" } as RootContent);
    else if (child.type !== "text" || !/^[\t\r\n ]*$/.test(child.value)) return undefined;
  }
  return out.length > 0 ? out : undefined;
}

const blockTypes = new Set(
  (
    "blockquote code definition footnoteDefinition heading list math mdxJsxFlowElement paragraph parseError table " +
    "thematicBreak"
  ).split(" "),
);
export const isBlock = (node: RootContent): boolean =>
  blockTypes.has(node.type) || (node.type === "island" && !node.inline);

/** Splits a paragraph that contains blocks: the text before them, the blocks, the text after them. */
export function splitParagraph(paragraph: Paragraph, children: readonly RootContent[]): RootContent[] {
  const out: RootContent[] = [];
  let text: RootContent[] = [];
  const flush = (): void => {
    if (text.some(isVisible)) out.push({ ...paragraph, children: text as PhrasingContent[] });
    text = [];
  };
  for (const child of children) {
    if (isBlock(child)) {
      flush();
      out.push(child);
    } else text.push(child);
  }
  flush();
  return out;
}

/** Puts paragraphs around text and inline nodes among blocks. */
export function wrapLoose(children: readonly RootContent[]): RootContent[] {
  if (children.every(isBlock)) return children as RootContent[];
  return splitParagraph({ type: "paragraph", children: [] }, children);
}

/** For parents that hold a line of text (headings, cells, links): paragraphs are unwrapped, formulas become inline. */
export function inlineOnly(children: readonly RootContent[]): RootContent[] {
  if (!children.some(isBlock)) return children as RootContent[];
  return children.flatMap((child): RootContent[] => {
    if (child.type === "paragraph") return child.children;
    if (child.type === "math") return [{ ...child, type: "inlineMath" } as RootContent];
    if (child.type === "mdxJsxFlowElement") return [{ ...child, type: "mdxJsxTextElement" } as unknown as RootContent];
    return [child];
  });
}

const isVisible = (node: RootContent): boolean => node.type !== "text" || node.value.trim() !== "";

/** Lists, quotes and elements below this level are left out. */
export const maxTreeDepth = 200;

/** Copies of nodes that appear in several places. @throws {Stop} for a tree that is too deep. */
export function copyNodes(nodes: readonly RootContent[], onNode: () => void, depth = 0): RootContent[] {
  if (depth > maxTreeDepth) throw new Stop("limit", `elements are nested more than ${maxTreeDepth} deep`);
  return nodes.map((node) => {
    onNode();
    const copy = { ...node };
    if (node.data !== undefined) copy.data = { ...node.data };
    if ("children" in node)
      (copy as { children: unknown }).children = copyNodes(node.children as RootContent[], onNode, depth + 1);
    return copy;
  });
}
