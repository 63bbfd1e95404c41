import { create, drawing } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import type { FieldFacts, FormContext } from "./control.js";
import { tags } from "./field.js";

/** The frame of fields that belong together. */
export interface Group {
  readonly element: HTMLElement;
  /** Where a fault of the whole leads. */
  readonly focusTarget: HTMLElement;
  open(): void;
  showFault(fault: string | undefined): void;
}

/** So many levels are open where they must be filled in. */
const openDepth = 3;

/**
 * Folds what stands below a field; its content is made when it is first opened, so that a schema that leads back to
 * itself goes on as far as the reader does. Without a name there is nothing to fold.
 */
export function createGroup(
  form: FormContext,
  facts: FieldFacts,
  type: string,
  content: () => readonly HTMLElement[],
): Group {
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
  const body = create("div", { class: "playground-group-body" });
  if (description !== undefined) body.append(create("p", { class: "playground-note", dir: "auto" }, description));
  let isFilled = false;
  const fill = (): void => {
    if (isFilled) return;
    isFilled = true;
    body.append(...content());
  };
  const summary = create("summary", { class: "playground-group-head" });
  summary.append(drawing(outlines.chevron), create("span", { class: "playground-name" }, name));
  summary.append(...tags(type, facts));
  const details = create("details", { class: "playground-group" }, summary, body);
  details.addEventListener("toggle", () => {
    if (details.open) fill();
  });
  const open = (): void => {
    fill();
    details.open = true;
  };
  if (required && depth < openDepth && form.mayOpen()) open();
  const element = create("div", { class: "playground-group-row" }, details, ...(action ? [action] : []), fault);
  return { element, focusTarget: summary, open, showFault };
}
