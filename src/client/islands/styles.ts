/** Style sheets in components, on hosts that forbid inline ones. */
import { type ComponentChildren, createElement } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ElementNode } from "../../page/islands/runtime/element.js";
import { phase } from "./hydration.js";

/** Makes a `style` element a component that applies its text as a constructed style sheet. */
export function replaceStyle(vnode: ElementNode): void {
  if (vnode.type === "style") vnode.type = StyleSheet;
}

interface StyleProps {
  readonly children?: ComponentChildren;
  readonly dangerouslySetInnerHTML?: { readonly __html: unknown };
  readonly media?: string;
}

/** In the page there is an empty template in its place: some browsers report even `style` elements that they ignore. */
function StyleSheet({ children, dangerouslySetInnerHTML: markup, media }: StyleProps) {
  const text = markup ? String(markup.__html) : [children].flat(9).join("");
  // What the page contains at first is in a style sheet of the page.
  const known = useRef(phase.isHydrating ? text : undefined);
  useLayoutEffect(() => {
    if (known.current === text) return;
    known.current = undefined;
    const sheet = new CSSStyleSheet({ media: media ?? "" });
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    };
  }, [text, media]);
  return createElement("template", { "data-style": "" } as object);
}
