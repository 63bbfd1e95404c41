import type { ElementContent } from "hast";
import type { Code, Nodes } from "mdast";
import { rememberedFor } from "../../../lib/memo.js";
import type { JsxElement, MathBlock, MathText, PropValue } from "../../content/index.js";
import { withCode } from "../collect-sections.js";
import { type Handler, markdownText, pageOf } from "../nodes.js";
import { locationOf, type PageRender } from "../page-render.js";
import type { CodePort } from "../ports.js";
import { textOfProp } from "../prop-values.js";
import { renderIcon } from "./icon.js";

type FenceKind = "code" | "diagram" | "math";

export function fenceKind(node: Code): FenceKind {
  const language = node.lang?.toLowerCase();
  return language === "mermaid" ? "diagram" : language === "math" || language === "latex-math" ? "math" : "code";
}

export const code: Handler<Code> = (state, node) => {
  const rendered = fence(pageOf(state), node).node;
  return node.value.trim() === "" ? [] : rendered;
};

/** Renders a fence. @returns the title, language and icon too, which a code group shows. */
export function fence(page: PageRender, node: Code): { readonly node: ElementContent; readonly info: FenceInfo } {
  const kind = fenceKind(node);
  const diagram = page.context.diagrams.get(node);
  if (kind === "diagram" && diagram) return { node: diagram, info: {} };
  if (kind === "math") return { node: formula(page, node.value, true, node), info: {} };
  const location = locationOf(page, node);
  reportEmpty(page, node, "code block");
  const block = page.context.tools.code.block(node.value, node.lang ?? undefined, node.meta ?? undefined, {
    location,
    messages: page.context.messages,
    icon: (name) => renderIcon(page, name, { iconLibrary: "fontawesome" }, location),
  });
  page.collector.reportEach(block.diagnostics);
  return { ...block, node: withCode(block.node, node.value) };
}

function reportEmpty(page: PageRender, node: Code | MathBlock | MathText, name: string): void {
  if (node.value.trim() !== "") return;
  const isBehind = node.type === "code" && /\S\s+\S/.test(node.meta ?? "");
  const fix = isBehind ? "write the code on the lines below the language." : "write its content, or remove it.";
  const what = `The ${name} is empty.`;
  const location = locationOf(page, node);
  page.collector.diagnostics.push({ code: "COMPONENT_EMPTY", severity: "warning", what, location, fix });
}

type FenceInfo = ReturnType<CodePort["block"]>["info"];

export const math: Handler<MathBlock> = (state, node) => formula(pageOf(state), node.value, true, node);
export const inlineMath: Handler<MathText> = (state, node) => formula(pageOf(state), node.value, false, node);

export function formula(
  page: PageRender,
  tex: string,
  display: boolean,
  node: Code | MathBlock | MathText,
): ElementContent {
  reportEmpty(page, node, "formula");
  const rendered = page.context.tools.math.render(tex, display, locationOf(page, node));
  page.collector.reportEach(rendered.diagnostics);
  return rendered.node;
}

/** Components that are rendered like a fence that contains their text. */
const fenceComponents: ReadonlySet<string> = new Set(["CodeBlock", "Mermaid", "Latex"]);

export const isFenceComponent = (node: JsxElement): boolean => node.name !== null && fenceComponents.has(node.name);

/** Whether the component wraps a fence, which is rendered in its place. */
export const holdsFence = (node: JsxElement): boolean => (node.children as Nodes[]).some(({ type }) => type === "code");

/** The fence as which the component is rendered; every call returns the same object. */
export const fenceOf = rememberedFor((node: JsxElement): Code => {
  const props = node.data?.props ?? {};
  const value =
    textOfProp(props["chart"] ?? props["code"]) ?? textOfProp(props["children"]) ?? markdownText(node.children);
  const ownLanguage: Readonly<Record<string, string>> = { Mermaid: "mermaid", Latex: "math" };
  const lang = ownLanguage[node.name!] ?? textOfProp(props["language"] ?? props["lang"]);
  return {
    type: "code",
    lang: lang ?? null,
    meta: metaOf(props),
    value: value.replace(/^\s*\n|\s+$/g, ""),
    position: node.position,
    data: node.data?.sourcePath === undefined ? {} : { sourcePath: node.data.sourcePath },
  };
});

/** Writes the properties as options of a fence: `title="a.ts" lines highlight={1,3}`. */
function metaOf(props: Readonly<Record<string, PropValue>>): string | null {
  const parts: string[] = [];
  const title = textOfProp(props["filename"] ?? props["title"]);
  if (title) parts.push(`title=${quote(title)}`);
  const icon = textOfProp(props["icon"]);
  if (icon) parts.push(`icon=${quote(icon)}`);
  for (const flag of ["lines", "wrap", "nocopy", "expandable"])
    if (/^(?:true)?$/i.test(String(props[flag] ?? "no"))) parts.push(flag);
  for (const name of ["highlight", "focus"]) {
    const lines = Array.isArray(props[name]) ? props[name].join(",") : textOfProp(props[name]);
    if (lines) parts.push(`${name}={${lines.replace(/[[\]{}\s]/g, "")}}`);
  }
  return parts.length > 0 ? parts.join(" ") : null;
}

const quote = (text: string): string => (text.includes('"') ? `'${text.replaceAll("'", "’")}'` : `"${text}"`);
