import type { ElementContent } from "hast";
import type { Code } from "mdast";
import type { MathBlock, MathText } from "../content/index.js";
import { withCode } from "./collect-sections.js";
import { renderIcon } from "./icon.js";
import { locationOf, type PageRender } from "./page-render.js";
import type { CodePort } from "./ports.js";
import { type Handler, pageOf } from "./to-hast.js";

export type FenceKind = "code" | "diagram" | "math";

export function fenceKind(node: Code): FenceKind {
  const language = node.lang?.toLowerCase();
  return language === "mermaid" ? "diagram" : language === "math" || language === "latex-math" ? "math" : "code";
}

export const code: Handler<Code> = (state, node) => fence(pageOf(state), node).node;

/** A rendered fence, with the title, language and icon that a code group shows. */
export function fence(page: PageRender, node: Code): { readonly node: ElementContent; readonly info: FenceInfo } {
  const kind = fenceKind(node);
  const diagram = page.context.diagrams.get(node);
  if (kind === "diagram" && diagram) return { node: diagram, info: {} };
  if (kind === "math") return { node: formula(page, node.value, true, node), info: {} };
  const location = locationOf(page, node);
  const block = page.context.tools.code.block(node.value, node.lang ?? undefined, node.meta ?? undefined, {
    location,
    messages: page.context.messages,
    icon: (name) => renderIcon(page, name, { iconLibrary: "fontawesome" }, location),
  });
  page.collector.reportEach(block.diagnostics);
  return { ...block, node: withCode(block.node, node.value) };
}
export type FenceInfo = ReturnType<CodePort["block"]>["info"];

export const math: Handler<MathBlock> = (state, node) => formula(pageOf(state), node.value, true, node);
export const inlineMath: Handler<MathText> = (state, node) => formula(pageOf(state), node.value, false, node);

export function formula(
  page: PageRender,
  tex: string,
  display: boolean,
  node: Code | MathBlock | MathText,
): ElementContent {
  const rendered = page.context.tools.math.render(tex, display, locationOf(page, node));
  page.collector.reportEach(rendered.diagnostics);
  return rendered.node;
}
