/** Form fields whose value a component sets, which behave as in React. */
import type { ElementNode } from "../../page/islands/runtime/element.js";

export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Preact would put the value of its component into a text area, and the page has it as a text in there. */
export function keepText({ type, props }: ElementNode): void {
  if (type !== "textarea" || props["value"] == null) return;
  props["defaultValue"] = props["value"];
  delete props["value"];
}

/** The properties that components give to their fields. */
export const wantedValues = new WeakMap<EventTarget, { readonly value?: unknown; readonly checked?: unknown }>();

/** A field keeps the value of its component, so a handler that ignores a change undoes it. */
export function keepValues(): void {
  for (const event of ["input", "change"])
    addEventListener(event, ({ target }) => {
      const { type } = target as Field;
      // Boxes and menus have an event before the one that components handle.
      if (event === "input" && /^(?:checkbox|radio|select)/.test(type)) return;
      // After the component has been rendered again.
      queueMicrotask(() => {
        restore(target as Field);
        if (type === "radio") for (const each of document.querySelectorAll("input")) restore(each);
      });
    });
}

function restore(field: Field): void {
  const { value, checked } = wantedValues.get(field) ?? {};
  if (checked != null) (field as HTMLInputElement).checked = Boolean(checked);
  if (value != null && !/^(?:file|select-multiple)$/.test(field.type) && field.value !== String(value))
    field.value = String(value);
}

/** Reports to the components what the reader entered before they were there. */
export function reportEntered(fields: readonly Field[]): void {
  for (const field of fields) {
    if (!isEntered(field)) restore(field);
    else for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
  }
}

function isEntered(field: Field): boolean {
  if ("options" in field) {
    const chosen = [...field.options].findIndex((option) => option.defaultSelected);
    return !field.multiple && field.selectedIndex !== Math.max(0, chosen);
  }
  const { type, defaultValue, value, checked, defaultChecked } = field as HTMLInputElement;
  if (/^(?:checkbox|radio)$/.test(type)) return checked !== defaultChecked;
  // These have a value of their own if none is written.
  return value !== defaultValue && !/^(?:range|color)$/.test(type);
}
