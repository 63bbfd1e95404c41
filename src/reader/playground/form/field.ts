import type { FormSchema } from "../../../reference/forms/playground-form.js";
import { create, drawing } from "../../dom.js";
import * as outlines from "../../icon-outlines.js";
import { say } from "../messages.js";
import type { FieldFacts, FormContext } from "./control.js";

/** A field with one input: name, type, description, error. */
interface Field {
  readonly element: HTMLElement;
  showFault(fault: string | undefined): void;
}

/** @param type as shown to readers: `string<uuid>`. @param input gets the label and the descriptions. */
export function createField(
  form: FormContext,
  facts: FieldFacts,
  type: string,
  input: HTMLElement,
  ...additions: HTMLElement[]
): Field {
  const { name, required, description, action, note } = facts;
  const id = form.id();
  input.id = id;
  const head = box("playground-field-head");
  if (name === undefined) input.setAttribute("aria-label", type);
  else head.append(create("label", { for: id, class: "playground-name" }, name));
  head.append(...tags(type, facts));
  if (action) head.append(action);
  const fault = create("p", { id: `${id}-fault`, class: "playground-fault", hidden: "" });
  const notes = [description, note]
    .filter((text) => text !== undefined)
    .map((text, i) => create("p", { id: `${id}-note${i}`, class: "playground-note", dir: "auto" }, text));
  const describe = (...by: readonly HTMLElement[]): void => {
    const ids = by.map(({ id }) => id).join(" ");
    if (ids === "") input.removeAttribute("aria-describedby");
    else input.setAttribute("aria-describedby", ids);
  };
  describe(...notes);
  if (required) input.setAttribute("aria-required", "true");
  const row = box("playground-input-row", input, ...additions);
  const element = box("playground-field", head, row, fault, ...notes);
  return {
    element,
    showFault(text) {
      fault.hidden = text === undefined;
      fault.textContent = text ?? "";
      if (text === undefined) input.removeAttribute("aria-invalid");
      else input.setAttribute("aria-invalid", "true");
      describe(...(text === undefined ? [] : [fault]), ...notes);
    },
  };
}

/** The tags after a name: type, required, deprecated. */
export const tags = (type: string, { required, isItem, deprecated }: FieldFacts): HTMLElement[] => [
  ...(type === "" ? [] : [create("span", { class: "playground-type", dir: "ltr" }, type)]),
  ...(required && !isItem ? [create("span", "playground-tag", say("required"))] : []),
  ...(deprecated ? [create("span", { class: "playground-tag", "data-kind": "old" }, say("deprecatedField"))] : []),
];

/** `string<date>`, `integer[]`, `any`. */
export function typeLabel(schema: FormSchema, schemas: readonly FormSchema[], depth = 0): string {
  const { label, types = [], format, items, nullable, file, unions } = schema;
  if (label !== undefined) return label;
  if (file) return "file";
  const names = types.map((type) => {
    if (type === "array" && items !== undefined && depth < 3) {
      const inner = typeLabel(schemas[items]!, schemas, depth + 1);
      return inner.includes(" ") ? `(${inner})[]` : `${inner}[]`;
    }
    return format !== undefined && type !== "object" && type !== "array" ? `${type}<${format}>` : type;
  });
  const namesOrAny = names.length > 0 ? names : [unions === undefined ? "any" : ""];
  return [...namesOrAny, ...(nullable ? ["null"] : [])].filter((name) => name !== "").join(" | ");
}

export const box = (className: string, ...children: (Node | string)[]): HTMLElement =>
  create("div", className, ...children);

/** A titled section next to the form. @param tools shown after the title. */
export const panel = (className: string, title: string, tools: readonly Node[], ...content: Node[]): HTMLElement =>
  create(
    "section",
    { class: className, "aria-label": title },
    box("playground-panel-head", create("h3", {}, title), ...tools),
    ...content,
  );

export const button = (
  className: string,
  label: string,
  onPress: () => void,
  ...children: Node[]
): HTMLButtonElement => {
  const element = create("button", { type: "button", class: className });
  if (children.length === 0) element.append(label);
  else {
    element.setAttribute("aria-label", label);
    element.append(...children);
  }
  element.addEventListener("click", onPress);
  return element;
};

/** Required groups above this level start open. */
const openDepth = 3;

/**
 * A group of fields under a name. They are created when the group is first opened, so that a recursive schema is expanded
 * only as far as the reader opens it. A group without a name is always open. `focusTarget` gets the focus for an error of
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
  const summary = create("summary", "playground-group-head");
  summary.append(drawing(outlines.chevron), create("span", "playground-name", name));
  summary.append(...tags(type, facts));
  const details = create("details", "playground-group", summary, body);
  const open = fillOnOpen(details, () => body.append(...content()));
  if (required && depth < openDepth && form.mayOpen()) open();
  const element = box("playground-group-row", details, ...(action ? [action] : []), fault);
  return { element, focusTarget: summary, open, showFault };
}

/** Fills a `details` element when it is first opened. Returns a function that opens it. */
export function fillOnOpen(details: HTMLDetailsElement, fill: () => void): () => void {
  let isFilled = false;
  const fillOnce = (): void => {
    if (isFilled) return;
    isFilled = true;
    fill();
  };
  details.addEventListener("toggle", () => {
    if (details.open) fillOnce();
  });
  return () => {
    fillOnce();
    details.open = true;
  };
}
