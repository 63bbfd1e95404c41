import type { FormSchema } from "../../reference/forms/playground-form.js";
import { create } from "../dom.js";
import type { FieldFacts, FormContext } from "./control.js";
import { say } from "./say.js";

/** A field with one input: name, type, description, fault. */
export interface Field {
  readonly element: HTMLElement;
  showFault(fault: string | undefined): void;
}

/** @param type as shown to readers: `string<uuid>`. @param input focused by the label, described by the notes. */
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
    const ids = by.map((each) => each.id).join(" ");
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
export function tags(type: string, { required, isItem, deprecated }: FieldFacts): HTMLElement[] {
  return [
    ...(type === "" ? [] : [create("span", { class: "playground-type", dir: "ltr" }, type)]),
    ...(required && !isItem ? [create("span", { class: "playground-tag" }, say("required"))] : []),
    ...(deprecated ? [create("span", { class: "playground-tag", "data-kind": "old" }, say("deprecatedField"))] : []),
  ];
}

/** `string<date>`, `integer[]`, `any`. */
export function typeOf(schema: FormSchema, schemas: readonly FormSchema[], depth = 0): string {
  const { label, types = [], format, items, nullable, file, unions } = schema;
  if (label !== undefined) return label;
  if (file) return "file";
  const names = types.map((type) => {
    if (type === "array" && items !== undefined && depth < 3) {
      const inner = typeOf(schemas[items]!, schemas, depth + 1);
      return inner.includes(" ") ? `(${inner})[]` : `${inner}[]`;
    }
    return format !== undefined && type !== "object" && type !== "array" ? `${type}<${format}>` : type;
  });
  const named = names.length > 0 ? names : [unions === undefined ? "any" : ""];
  return [...named, ...(nullable ? ["null"] : [])].filter((name) => name !== "").join(" | ");
}

/** A `div` of a class. */
export const box = (className: string, ...children: (Node | string)[]): HTMLElement =>
  create("div", { class: className }, ...children);

/** A titled section next to the form. @param tools follow the title. */
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
