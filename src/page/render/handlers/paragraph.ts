import type { ElementContent } from "hast";
import type { Paragraph, PhrasingContent } from "mdast";
import type { ComponentDefinition } from "../../components/index.js";
import * as html from "../nodes.js";
import { isFenceComponent } from "./code.js";

/** Elements alone on their lines replace their paragraph. Blocks among words leave it, since HTML ends a `p` there. */
export const paragraph: html.Handler<Paragraph> = (state, node, parent) => {
  const children = state.all(node);
  const inMarkup = parent?.type === "mdxJsxFlowElement" || parent?.type === "mdxJsxTextElement";
  if (
    isMarkupOnly(node) &&
    (inMarkup || !node.children.every((child) => isText(child, html.pageOf(state).context.tools.components)))
  )
    return children.filter((child) => child.type !== "text" || !html.isBlank(child.value) || !isEdge(child, children));
  return children.some(isBlockElement) ? splitAtBlocks(children) : html.element("p", {}, children);
};

/** Whether a paragraph holds JSX and white space, and no text of its own. */
export const isMarkupOnly = ({ children }: Pick<Paragraph, "children">): boolean =>
  children.every(
    (child) => isJsx(child) || child.type === "island" || (child.type === "text" && html.isBlank(child.value)),
  ) && children.some(isJsx);

const isJsx = (node: PhrasingContent): boolean => node.type === "mdxJsxTextElement";

/** Whether the node is part of a sentence, so that it needs a paragraph even if it is alone. */
function isText(node: PhrasingContent, components: ReadonlyMap<string, ComponentDefinition>): boolean {
  if (node.type !== "mdxJsxTextElement" || node.name === null) return true;
  if (isFenceComponent(node)) return node.name === "Latex";
  const definition = components.get(node.name);
  if (definition) return definition.inline === true;
  return html.textElements.has(node.name) || html.elementName(node.name) === undefined;
}

const isEdge = (child: ElementContent, children: readonly ElementContent[]): boolean =>
  child === children[0] || child === children.at(-1);

/** Whether a parser would end a `p` at this node. */
export function isBlockElement(node: ElementContent): boolean {
  if (node.type === "raw")
    return /^\s*<(?:div|p|pre|figure|table|details|section|aside|[uo]l|h[1-6]|blockquote)\b/i.test(node.value);
  if (node.type !== "element" || node.tagName === "svg" || node.tagName === "math") return false;
  return html.blockElements.has(node.tagName) || node.children.some(isBlockElement);
}

/** Puts bare text of a block into paragraphs, as from a component without an element, such as `Visibility`. */
export function inParagraphs(nodes: ElementContent | ElementContent[] | undefined): ElementContent[] {
  if (!Array.isArray(nodes)) return nodes === undefined ? [] : [nodes];
  return nodes.some((node) => node.type === "text" && !html.isBlank(node.value)) ? splitAtBlocks(nodes) : nodes;
}

const splitAtBlocks = (children: readonly ElementContent[]): ElementContent[] =>
  html.joinRuns(
    children,
    (child) => !isBlockElement(child),
    (words) =>
      words.some((node) => node.type !== "text" || !html.isBlank(node.value)) ? [html.element("p", {}, words)] : [],
  );
