import type { ElementContent } from "hast";
import type { Code } from "mdast";
import { withCode } from "./collect-sections.js";
import { drawIcon } from "./icon.js";
import type { Math as DisplayMath, InlineMath } from "./math-nodes.js";
import { locationOf, type PageRun, reportEach } from "./page-run.js";
import type { CodePort } from "./ports.js";
import { type Handler, runOf } from "./to-hast.js";

export type FenceKind = "code" | "diagram" | "math";

export function fenceKind(node: Code): FenceKind {
  const language = node.lang?.toLowerCase();
  return language === "mermaid" ? "diagram" : language === "math" || language === "latex-math" ? "math" : "code";
}

export const code: Handler<Code> = (state, node) => fence(runOf(state), node).node;

/** A fence drawn, with what a group of code blocks shows of it. */
export function fence(run: PageRun, node: Code): { readonly node: ElementContent; readonly info: FenceInfo } {
  const kind = fenceKind(node);
  const drawing = run.drawings.get(node);
  if (kind === "diagram" && drawing) return { node: drawing, info: {} };
  if (kind === "math") return { node: formula(run, node.value, true, node), info: {} };
  const location = locationOf(run, node);
  const block = run.tools.code.block(node.value, node.lang ?? undefined, node.meta ?? undefined, {
    location,
    messages: run.messages,
    icon: (name) => drawIcon(run, name, { iconLibrary: "fontawesome" }, location),
  });
  reportEach(run, block.diagnostics);
  return { ...block, node: withCode(block.node, node.value) };
}
export type FenceInfo = ReturnType<CodePort["block"]>["info"];

export const math: Handler<DisplayMath> = (state, node) => formula(runOf(state), node.value, true, node);
export const inlineMath: Handler<InlineMath> = (state, node) => formula(runOf(state), node.value, false, node);

export function formula(
  run: PageRun,
  tex: string,
  display: boolean,
  node: Code | DisplayMath | InlineMath,
): ElementContent {
  const drawn = run.tools.math.render(tex, display, locationOf(run, node));
  reportEach(run, drawn.diagnostics);
  return drawn.node;
}
