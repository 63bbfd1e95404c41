/** What hydration needs that Preact does not do. It leaves the properties of elements as they are in the page. */
import { options } from "preact";
import type { ElementNode } from "../../page/islands/runtime/element.js";

export const phase = {
  isHydrating: false,
  /** Form fields hydrated since the list was last taken. */
  fields: [] as Field[],
};

export function watchElements(): void {
  const before = options.diffed;
  options.diffed = (vnode) => {
    before?.(vnode);
    const { type, props, __e: element } = vnode as unknown as ElementNode & { readonly __e: HTMLElement };
    if (typeof type !== "string") return;
    const isField = "defaultValue" in element || type === "select";
    // HTML has no default of a menu.
    if (type === "select" && props["defaultValue"] != null && !wantedValues.has(element))
      (element as HTMLSelectElement).value = props["defaultValue"] as string;
    if (isField) wantedValues.set(element, props);
    if (!phase.isHydrating) return;
    if (isField) phase.fields.push(element as Field);
    setStyle(element, props["style"]);
  };
}

/**
 * Applies a style and removes the class that the page has in its place. The class is kept if the style has an address,
 * which only the page's style sheet has resolved.
 */
function setStyle(element: HTMLElement, given: unknown): void {
  const { style, classList } = element;
  if (!given || typeof given !== "object" || /url\(["']?\//.test(Object.values(given).join())) return;
  classList.remove(...[...classList].filter((name) => /^style-[\da-f]{12}$/.test(name)));
  if (classList.length === 0) element.removeAttribute("class");
  for (const name in given) {
    const value = (given as Record<string, string | null>)[name];
    if (value == null) continue;
    if (name.startsWith("--")) style.setProperty(name, value);
    else style[name as "color"] = value;
  }
}

/** Form fields whose value a component sets, which behave as in React. */

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Preact would put the value of its component into a text area, and the page has it as a text in there. */
export function keepText({ type, props }: ElementNode): void {
  if (type !== "textarea" || props["value"] == null) return;
  props["defaultValue"] = props["value"];
  delete props["value"];
}

/** The properties that components give to their fields. */
const wantedValues = new WeakMap<EventTarget, { readonly value?: unknown; readonly checked?: unknown }>();

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
