import { type ComponentChildren, createElement, options } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ElementNode } from "../../page/islands/runtime/element.js";
import { bundleRoot } from "../dom.js";

const names = ["href", "src", "poster", "xlinkHref"] as const;

/** Makes URLs of the site relative to the page, so that they work from disk. */
export function adaptLinks(props: Record<string, unknown>, links: ReadonlyMap<string, string>): void {
  const adapt = (url: string): string => {
    const path = links.has(url) ? url : url.replace(/[?#].*/s, "");
    return links.has(path) ? bundleRoot() + links.get(path) + url.slice(path.length) : url;
  };
  for (const name of names) {
    const url = props[name];
    if (typeof url === "string" && url[0] === "/") props[name] = adapt(url);
  }
  const style = props["style"] as Record<string, unknown> | undefined;
  for (const name in style) {
    const value = style[name];
    if (typeof value === "string")
      style[name] = value.replace(/(url\(["']?)(\/[^"')]*)/g, (_, start: string, url: string) => start + adapt(url));
  }
}

/** Replaces a `style` element, which strict hosts forbid, by a component that applies its text as a constructed style sheet. */
export function replaceStyle(vnode: ElementNode): void {
  if (vnode.type === "style") vnode.type = StyleSheet;
}

interface StyleProps {
  readonly children?: ComponentChildren;
  readonly dangerouslySetInnerHTML?: { readonly __html: unknown };
  readonly media?: string;
}

/** Renders an empty template instead of a `style` element, since some browsers report even `style` elements that they ignore. */
function StyleSheet({ children, dangerouslySetInnerHTML: markup, media }: StyleProps) {
  const text = markup ? String(markup.__html) : [children].flat(9).join("");
  // A style sheet of the page contains the text of the first render.
  const applied = useRef(phase.isHydrating ? text : undefined);
  useLayoutEffect(() => {
    if (applied.current === text) return;
    applied.current = undefined;
    const sheet = new CSSStyleSheet({ media: media ?? "" });
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [text, media]);
  return createElement("template", { "data-style": "" } as object);
}

/** Replaces a visible frame of another host by a link that loads it on a click, as pages do. */
export function replaceFrame(vnode: ElementNode): void {
  const { src, width, height, hidden } = vnode.props;
  if (vnode.type !== "iframe" || typeof src !== "string" || !/^(?:https?:)?\/\//i.test(src) || hidden) return;
  if (![width, height].some((size) => /^[01](?:px)?$/.test(String(size)))) vnode.type = Frame;
}

interface FrameProps {
  readonly src: string;
  readonly title?: string;
  readonly class?: string;
  readonly className?: string;
  readonly style?: object;
}

function Frame({ src, title, style, className, ...others }: FrameProps) {
  // The page has the link of the first render.
  const isOfPage = useRef(phase.isHydrating && src).current === src;
  if (isOfPage) return createElement("span", { key: src, dangerouslySetInnerHTML: emptyHtml });
  const { href, host } = new URL(src, location.href);
  const label = title || host;
  const fill = (template: HTMLTemplateElement | null): void => {
    const frame = document.createElement("iframe");
    template?.content.replaceChildren(Object.assign(frame, { src, title: label, allowFullscreen: true }));
  };
  return createElement(
    "span",
    { key: src, style, class: `embed ${others.class ?? className ?? ""}` },
    createElement(
      "a",
      { class: "embed-link", href, target: "_blank", rel: "noopener" },
      createElement("span", { class: "embed-mark" }),
      createElement("span", { class: "embed-title" }, label),
    ),
    createElement("template", { ref: fill }),
  );
}

/** Markup from text, on hosts that require trusted types. */
interface Policy {
  createHTML(html: string): string;
}
const { trustedTypes } = globalThis as {
  trustedTypes?: { readonly emptyHTML: string; createPolicy(name: string, rules: Policy): Policy };
};

/** An empty value of `dangerouslySetInnerHTML` that every host allows. */
export const emptyHtml = { __html: trustedTypes?.emptyHTML ?? "" };

let policy: Policy | undefined;

/** Allows HTML from the site's components, whose scripts are as trusted as the page. */
export function trustHtml(props: Record<string, unknown>): void {
  const markup = props["dangerouslySetInnerHTML"] as { readonly __html: unknown } | undefined;
  if (!trustedTypes || typeof markup?.__html !== "string") return;
  policy ??= trustedTypes.createPolicy("offprint-islands", { createHTML: (html) => html });
  props["dangerouslySetInnerHTML"] = { __html: policy.createHTML(markup.__html) };
}

/** The state of the hydration of properties that Preact does not hydrate. */
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

/** Applies a style and removes its class. A style with a URL keeps its class, since the style sheet resolves it. */
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

/** Undoes a change that the component's handler ignores, as React does. */
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
