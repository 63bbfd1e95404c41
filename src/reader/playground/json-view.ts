import type { Json } from "../../lib/json/json.js";
import { isContainer, isRawNumber, stringify } from "../../lib/json/json.js";
import { create } from "../dom.js";
import { box, button, fillOnOpen } from "./form/field.js";
import { say } from "./messages.js";

/** Members of a value that are shown at first, and added with each press of the button. */
const membersPerStep = 100;
/** Deeper levels start closed. */
const openLevels = 2;

/** Shows a value as a tree. Nodes are created when they are first opened. @param levels how many start open. */
export const jsonView = (value: Json, levels = openLevels): HTMLElement =>
  create(
    "div",
    { class: "playground-json", tabindex: "0", role: "group", "aria-label": "JSON" },
    node(undefined, value, levels),
  );

function node(name: string | undefined, value: Json, levels: number): HTMLElement {
  const label = name === undefined ? [] : [create("span", "playground-json-name", name), ": "];
  if (!isContainer(value)) {
    const kind = value === null ? "null" : isRawNumber(value) ? "number" : typeof value;
    return box("playground-json-line", ...label, create("span", { "data-kind": kind }, stringify(value)));
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value) as [string, Json][];
  const [opening, closing] = isList ? "[]" : "{}";
  if (entries.length === 0) return box("playground-json-line", ...label, `${opening}${closing}`);
  const count = create("span", "playground-json-count", `${opening} ${entries.length} ${closing}`);
  const details = create("details", "playground-json-node", create("summary", {}, ...label, count));
  const open = fillOnOpen(details, () => details.append(members(entries, isList, levels)));
  if (levels > 0 && entries.length <= membersPerStep) open();
  return details;
}

function members(entries: readonly [string, Json][], isList: boolean, levels: number): HTMLElement {
  const list = box("playground-json-members");
  let shown = 0;
  const more = button("playground-more", say("showMore"), () => add());
  const add = (): void => {
    const next = entries.slice(shown, shown + membersPerStep);
    shown += next.length;
    const nodes = next.map(([key, member]) => node(isList ? key : JSON.stringify(key), member, levels - 1));
    list.append(...nodes);
    if (shown < entries.length) list.append(more);
    else more.remove();
  };
  add();
  return list;
}
