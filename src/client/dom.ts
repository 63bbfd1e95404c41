import * as outlines from "./icon-outlines.js";
import { pageMessage } from "./page-message.js";

export const all = <T extends HTMLElement = HTMLElement>(selector: string, inside: ParentNode = document): T[] => [
  ...inside.querySelectorAll<T>(selector),
];

/** Calls `handle` for clicks anywhere in elements that match, now and later. */
export function onClick(selector: string, handle: (element: HTMLElement, event: MouseEvent) => void): void {
  document.addEventListener("click", (event) => {
    const element = (event.target as Element | null)?.closest?.<HTMLElement>(selector);
    if (element) handle(element, event);
  });
}

export function create<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]!);
  element.append(...children);
  return element;
}

/** A drawing of ours: outlines in the colour of the text, 24 units wide. Made by hand, since some hosts forbid markup from text. */
export function drawing(outline: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("class", "control-icon control-outline");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", outline);
  svg.append(path);
  return svg;
}

/**
 * A dialog over the page that is gone when it closes: by its button, by Escape, and where `isGround` says that a click
 * went beside what it shows. Focus goes back to where it came from.
 */
export function showDialog(
  className: string,
  label: string,
  content: Element,
  isGround: (target: Element, dialog: Element) => boolean,
): void {
  const close = create("button", { type: "button", class: "dialog-close", "aria-label": pageMessage("close") });
  close.append(drawing(outlines.close));
  const dialog = create("dialog", { class: className, "aria-label": label }, content, close);
  dialog.addEventListener("click", (event) => {
    const target = event.target as Element;
    if (close.contains(target) || isGround(target, dialog)) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** The id that a fragment such as `#set%20up` names. */
export function idIn(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

/** The element that the address names, or nothing. */
export const fragmentTarget = (): HTMLElement | undefined => document.getElementById(idIn(location.hash)) ?? undefined;

/** Changes the address without loading; where a browser forbids that, the address stays. */
export function replaceAddress(address: string): void {
  try {
    history.replaceState(history.state, "", address);
  } catch {
    // Pages opened from disk may not change the query in every browser.
  }
}

/** Index of the item that an arrow, Home or End key leads to; `undefined` for other keys. Ends meet. */
export function stepByKey(key: string, at: number, count: number, keys: readonly [string, string]): number | undefined {
  if (key === keys[0]) return (at - 1 + count) % count;
  if (key === keys[1]) return (at + 1) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return undefined;
}

/** The arrow keys that lead back and on in the direction of the text. */
export const arrowsAlong = (): readonly [string, string] =>
  document.documentElement.dir === "rtl" ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
