import { type ComponentChildren, createElement } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ElementNode } from "../../page/islands/runtime/element.js";
import { bundleRoot } from "../dom.js";
import { phase } from "./hydration.js";

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

/** The page has an empty template in its place: some browsers report even `style` elements that they ignore. */
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

/**
 * Replaces a frame of another host by a link that loads it on a click, as the page has outside live components. Frames that
 * nobody sees stay.
 */
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
