import type { Blockquote, Paragraph, Text } from "mdast";
import type { JsxElement } from "../content/index.js";
import { renderComponent } from "./render-component.js";
import { type Handler, pageOf } from "./to-hast.js";

/** Components for the callouts that other systems write as quotes: `> [!NOTE]`. */
const alerts: Readonly<Record<string, string>> = {
  NOTE: "Note",
  TIP: "Tip",
  IMPORTANT: "Info",
  WARNING: "Warning",
  CAUTION: "Danger",
};

export const blockquote: Handler<Blockquote> = (state, node) => {
  const alert = alertOf(node);
  const definition = alert && pageOf(state).context.tools.components.get(alert.name as string);
  if (alert && definition) return renderComponent(state, alert, definition);
  return { type: "element", tagName: "blockquote", properties: {}, children: state.wrap(state.all(node), true) };
};

/** The quote as a callout component; undefined for an ordinary quote. */
function alertOf(node: Blockquote): JsxElement | undefined {
  const [first, ...rest] = node.children;
  const opening = first?.type === "paragraph" ? first.children[0] : undefined;
  if (opening?.type !== "text") return undefined;
  const match = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\r?\n|$)/i.exec(opening.value);
  if (!match) return undefined;
  const text: Text = { ...opening, value: opening.value.slice(match[0].length) };
  const after = (first as Paragraph).children.slice(1);
  // The line break after the mark is a `break` if two spaces precede it.
  if (text.value === "" && after[0]?.type === "break") after.shift();
  const words = text.value === "" ? after : [text, ...after];
  return {
    type: "mdxJsxFlowElement",
    name: alerts[match[1]!.toUpperCase()]!,
    attributes: [],
    children: words.length > 0 ? [{ type: "paragraph", children: words }, ...rest] : rest,
    position: node.position,
    data: { props: {}, sourcePath: node.data?.sourcePath },
  } as JsxElement;
}
