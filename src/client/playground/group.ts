import { create, drawing } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import type { FieldFacts, FormContext } from "./control.js";
import { box, tags } from "./field.js";
import { fillOnOpen } from "./fill-on-open.js";

/** Required groups above this level start open. */
const openDepth = 3;

/**
 * Folds the fields below a name. They are created when the group is first opened, so that a recursive schema is
 * expanded only as far as the reader goes. A group without a name is always open. `focusTarget` is focused for a fault of
 * the whole group.
 */
export function createGroup(form: FormContext, facts: FieldFacts, type: string, content: () => readonly HTMLElement[]) {
  const { name, required, description, action, depth } = facts;
  const id = form.id();
  const fault = create("p", { id: `${id}-fault`, class: "playground-fault", hidden: "" });
  const showFault = (text: string | undefined): void => {
    fault.hidden = text === undefined;
    fault.textContent = text ?? "";
  };
  if (name === undefined) {
    const target = create("div", { class: "playground-group", role: "group", tabindex: "-1" }, fault, ...content());
    return { element: target, focusTarget: target, open: () => {}, showFault };
  }
  const body = box("playground-group-body");
  if (description !== undefined) body.append(create("p", { class: "playground-note", dir: "auto" }, description));
  const summary = create("summary", { class: "playground-group-head" });
  summary.append(drawing(outlines.chevron), create("span", { class: "playground-name" }, name));
  summary.append(...tags(type, facts));
  const details = create("details", { class: "playground-group" }, summary, body);
  const open = fillOnOpen(details, () => body.append(...content()));
  if (required && depth < openDepth && form.mayOpen()) open();
  const element = box("playground-group-row", details, ...(action ? [action] : []), fault);
  return { element, focusTarget: summary, open, showFault };
}
