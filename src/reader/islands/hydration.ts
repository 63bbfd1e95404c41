/** Hydration of properties that Preact leaves as they are in the page. */
import { options } from "preact";
import type { ElementNode } from "../../page/islands/runtime/element.js";

export const phase = {
  isHydrating: false,
  /** Form fields hydrated since the list was last emptied. */
  fields: [] as Field[],
};

export function watchElements(): void {
  const before = options.diffed;
  options.diffed = (vnode) => {
    before?.(vnode);
    const { type, props, __e: element } = vnode as unknown as ElementNode & { readonly __e: HTMLElement };
    if (typeof type !== "string") return;
    const isField = "defaultValue" in element || type === "select";
    // HTML has no attribute for the default of a `select`.
    if (type === "select" && props["defaultValue"] != null && !fieldProps.has(element))
      (element as HTMLSelectElement).value = props["defaultValue"] as string;
    if (isField) fieldProps.set(element, props);
    if (!phase.isHydrating) return;
    if (isField) phase.fields.push(element as Field);
    setStyle(element, props["style"]);
  };
}

/**
 * Applies a style and removes the class that represents it in the page. The class stays if the style contains a URL, which
 * only the page's style sheet resolves.
 */
function setStyle(element: HTMLElement, value: unknown): void {
  const { style, classList } = element;
  if (!value || typeof value !== "object" || /url\(["']?\//.test(Object.values(value).join())) return;
  classList.remove(...[...classList].filter((name) => /^style-[\da-f]{12}$/.test(name)));
  if (classList.length === 0) element.removeAttribute("class");
  for (const [name, setting] of Object.entries(value as Record<string, string | null>)) {
    if (setting == null) continue;
    if (name.startsWith("--")) style.setProperty(name, setting);
    else style[name as "color"] = setting;
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Keeps Preact from overwriting the text that the reader has entered in a text area. */
export function keepText({ type, props }: ElementNode): void {
  if (type !== "textarea" || props["value"] == null) return;
  props["defaultValue"] = props["value"];
  delete props["value"];
}

/** The properties that components set on form fields. */
const fieldProps = new WeakMap<EventTarget, { readonly value?: unknown; readonly checked?: unknown }>();

/** As in React, a change that the component's handler ignores is undone. */
export function keepValues(): void {
  for (const event of ["input", "change"])
    addEventListener(event, ({ target }) => {
      const { type } = target as Field;
      // Checkboxes, radio buttons and menus fire `change` next, which components handle.
      if (event === "input" && /^(?:checkbox|radio|select)/.test(type)) return;
      // Runs after the component has rendered again.
      queueMicrotask(() => {
        restore(target as Field);
        if (type === "radio") for (const input of document.querySelectorAll("input")) restore(input);
      });
    });
}

function restore(field: Field): void {
  const { value, checked } = fieldProps.get(field) ?? {};
  if (checked != null) (field as HTMLInputElement).checked = Boolean(checked);
  if (value != null && !/^(?:file|select-multiple)$/.test(field.type) && field.value !== String(value))
    field.value = String(value);
}

/** Reports to the components what the reader entered before they were hydrated. */
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
  // Ranges and colours have a value even if none is set.
  return value !== defaultValue && !/^(?:range|color)$/.test(type);
}
