import type { Element, ElementContent } from "hast";
import type { Island, IslandSlot, ParseError } from "../../content/index.js";
import { allOf, element, type Handler, pageOf, type State } from "../nodes.js";

/**
 * What a component of the page shows.
 *
 * For the client: `[data-island]` is a live one; with `data-client-only`, its script makes all of its content. `x-slot`
 * elements have the content that was between its tags, by `data-n`. Those that it does not show at first are in
 * `template[data-slot]` elements after it.
 */
export const island: Handler<Island> = (state, node) => {
  switch (node.outcome) {
    case undefined:
      return [sourceNote(state, node), ...state.all(node)];
    case "static":
      return state.all(node);
  }
  const { messages } = pageOf(state).context;
  const isEmpty = node.outcome === "clientOnly";
  const shownCount = isEmpty ? 0 : node.children.length - (node.hiddenCount ?? 0);
  const name = node.inline ? "span" : "div";
  const shown = isEmpty
    ? [noteElement(node.inline ? "span" : "p", "island-placeholder", text(messages.liveLater))]
    : allOf(state, node.children.slice(0, shownCount));
  const properties = { dataIsland: node.id, ...(isEmpty ? { dataClientOnly: "" } : {}) };
  const hidden = (node.children.slice(shownCount) as IslandSlot[]).map((slot) =>
    element("template", { dataSlot: String(slot.index) }, allOf(state, slot.children)),
  );
  return [element(name, properties, shown), ...hidden];
};

export const islandSlot: Handler<IslandSlot> = (state, node) =>
  element("x-slot", { dataN: String(node.index) }, state.all(node));

/** Longer code does not fit into a sentence. */
const inlineLimit = 80;

/** Code that could not be rendered: a note, with the code folded below it. */
function sourceNote(state: State, node: Island): ElementContent {
  const { messages } = pageOf(state).context;
  if (node.inline) {
    const short = node.source.length <= inlineLimit && !node.source.includes("\n");
    const shown = noteElement("code", "live-code", text(short ? node.source : (node.name ?? "…")));
    shown.properties["title"] = messages.liveCode;
    return shown;
  }
  const name = node.name ? [text(": "), noteElement("code", undefined, text(node.name))] : [];
  return noteElement(
    "div",
    "live-code-note",
    noteElement("p", undefined, text(messages.liveCode)),
    noteElement(
      "details",
      undefined,
      noteElement("summary", undefined, text(messages.liveCodeSource), ...name),
      noteElement("pre", undefined, noteElement("code", undefined, text(node.source))),
    ),
  );
}

/** An element of a note. */
const noteElement = (tagName: string, className: string | undefined, ...children: ElementContent[]): Element =>
  element(tagName, className === undefined ? {} : { className: [className] }, children);
const text = (value: string): ElementContent => ({ type: "text", value });

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
