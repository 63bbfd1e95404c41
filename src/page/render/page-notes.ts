/** Notes in place of the parts of a page that cannot be shown. */
import type { Element, ElementContent } from "hast";
import type { LiveCode, ParseError } from "../content/index.js";
import { type Handler, pageOf } from "./to-hast.js";

const element = (tagName: string, className: string | undefined, ...children: ElementContent[]): Element => ({
  type: "element",
  tagName,
  properties: className === undefined ? {} : { className: [className] },
  children,
});
const text = (value: string): ElementContent => ({ type: "text", value });

/** Longer code does not fit into a sentence. */
const inlineLimit = 80;

/** Code that needs a JavaScript engine: a note, with the code folded below it. */
export const liveCode: Handler<LiveCode> = (state, node) => {
  const { messages } = pageOf(state).context;
  if (node.inline) {
    const short = node.value.length <= inlineLimit && !node.value.includes("\n");
    const shown = element("code", "live-code", text(short ? node.value : (node.name ?? "…")));
    shown.properties["title"] = messages.liveCode;
    return shown;
  }
  const name = node.name ? [text(": "), element("code", undefined, text(node.name))] : [];
  return element(
    "div",
    "live-code-note",
    element("p", undefined, text(messages.liveCode)),
    element(
      "details",
      undefined,
      element("summary", undefined, text(messages.liveCodeSource), ...name),
      element("pre", undefined, element("code", undefined, text(node.value))),
    ),
  );
};

/** A page that could not be parsed: where and why. */
export const parseError: Handler<ParseError> = (state, node) => {
  const { plan, messages } = pageOf(state).context;
  const file = node.data?.sourcePath ?? plan.sourcePath;
  const place = [file, node.line, node.column].filter((part) => part !== undefined).join(":");
  const box = element(
    "div",
    "error-box",
    element("p", "error-box-title", text(messages.unreadable)),
    element("p", "error-box-place", element("code", undefined, text(place))),
    element("p", "error-box-reason", text(node.reason)),
    ...(node.excerpt === "" ? [] : [element("pre", undefined, element("code", undefined, text(node.excerpt)))]),
  );
  box.properties["role"] = "alert";
  return box;
};
