/** What hydration needs that Preact does not do. It leaves the properties of elements as they are in the page. */
import { options } from "preact";
import type { ElementNode } from "../../page/islands/runtime/element.js";
import { type Field, wantedValues } from "./fields.js";

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
