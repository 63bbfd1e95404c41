import type { Element, ElementContent } from "hast";
import type { ParseError } from "../content/index.js";
import { element, type Handler, pageOf } from "./to-hast.js";

/** An element of a note. */
export const noteElement = (tagName: string, className: string | undefined, ...children: ElementContent[]): Element =>
  element(tagName, className === undefined ? {} : { className: [className] }, children);
export const text = (value: string): ElementContent => ({ type: "text", value });

/** A page that could not be parsed: where and why. */
export const parseError: Handler<ParseError> = (state, node) => {
  const { plan, messages } = pageOf(state).context;
  const file = node.data?.sourcePath ?? plan.sourcePath;
  const place = [file, node.line, node.column].filter((part) => part !== undefined).join(":");
  const box = noteElement(
    "div",
    "error-box",
    noteElement("p", "error-box-title", text(messages.unreadable)),
    noteElement("p", "error-box-place", noteElement("code", undefined, text(place))),
    noteElement("p", "error-box-reason", text(node.reason)),
    ...(node.excerpt === "" ? [] : [noteElement("pre", undefined, noteElement("code", undefined, text(node.excerpt)))]),
  );
  box.properties["role"] = "alert";
  return box;
};
