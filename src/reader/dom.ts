import { clientKeys } from "../lib/language/reader-texts.js";
import { decodePercent } from "../lib/url/paths.js";
import * as outlines from "./icon-outlines.js";

export const all = <T extends HTMLElement = HTMLElement>(selector: string, inside: ParentNode = document): T[] => [
  ...inside.querySelectorAll<T>(selector),
];

/** The closest element that matches the selector, from the event's target upwards. */
export const closestTo = <T extends HTMLElement = HTMLElement>(event: Event, selector: string): T | undefined =>
  (event.target as Element | null)?.closest?.<T>(selector) ?? undefined;

/** Handles clicks in all matching elements, including those added later. */
export function onClick(selector: string, handle: (element: HTMLElement, event: MouseEvent) => void): void {
  document.addEventListener("click", (event) => {
    const element = closestTo(event, selector);
    if (element) handle(element, event);
  });
}

/** Makes any element a button that opens a dialog, by click, Enter and Space. */
export function makeButton(element: HTMLElement, open: () => void): void {
  const press = (event: Event): void => {
    event.preventDefault();
    open();
  };
  element.setAttribute("role", "button");
  element.setAttribute("aria-haspopup", "dialog");
  element.addEventListener("click", press);
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") press(event);
  });
}

/** @param attributes a string is the class. */
export function create<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: string | Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (typeof attributes === "string") element.className = attributes;
  else for (const name in attributes) element.setAttribute(name, attributes[name]!);
  element.append(...children);
  return element;
}

/** An icon in the colour of the text. Built node by node, since hosts with Trusted Types forbid `innerHTML`. */
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

/** Shows a modal dialog, which its button, Escape, or a click for which `isBackdrop` is true closes and removes. */
export function showDialog(
  className: string,
  label: string,
  content: Element,
  isBackdrop: (target: Element, dialog: Element) => boolean,
): void {
  const close = create("button", { type: "button", class: "dialog-close", "aria-label": pageMessage("close") });
  close.append(drawing(outlines.close));
  const dialog = create("dialog", { class: className, "aria-label": label }, content, close);
  dialog.addEventListener("click", (event) => {
    const target = event.target as Element;
    if (close.contains(target) || isBackdrop(target, dialog)) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Closes a dialog by a press on its backdrop. Selecting text may end outside of the dialog, so the press must begin there. */
export function closeOnOutsidePress(dialog: HTMLDialogElement): void {
  let pressedOutside = false;
  dialog.addEventListener("pointerdown", (event) => {
    pressedOutside = event.target === dialog;
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && pressedOutside) dialog.close();
  });
}

/** Scrolls a box to centre an element in it, unless the element is already in view. */
export function scrollToMiddle(box: HTMLElement, element: Element): void {
  const inner = element.getBoundingClientRect();
  const outer = box.getBoundingClientRect();
  if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - (outer.top + outer.bottom) / 2;
}

/** The path from the page to the root of the bundle: empty, or with a trailing slash. */
export const bundleRoot = (): string => document.documentElement.dataset.root ?? "";

/** The id in a fragment such as `#set%20up`. */
export const idIn = (hash: string): string => decodePercent(hash.slice(1));

/** The element that the URL's fragment names. */
export const fragmentTarget = (): HTMLElement | undefined => document.getElementById(idIn(location.hash)) ?? undefined;

/** Changes the URL without loading it. Some browsers refuse for pages opened from disk. */
export function replaceAddress(address: string): void {
  try {
    history.replaceState(history.state, "", address);
  } catch {}
}

/** Index of the item that an arrow key, Home or End selects, wrapping around; undefined for other keys. */
export function stepByKey(key: string, at: number, count: number, keys: readonly [string, string]): number | undefined {
  if (key === keys[0]) return (at - 1 + count) % count;
  if (key === keys[1]) return (at + 1) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return undefined;
}

export const isRightToLeft = (): boolean => document.documentElement.dir === "rtl";

/** The arrow keys for the previous and the next item, by the direction of the text. */
export const arrowsAlong = (): readonly [string, string] =>
  isRightToLeft() ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];

/** A text in the language of the page. */
export const pageMessage = (key: (typeof clientKeys)[number]): string =>
  document.documentElement.dataset.words?.split("|")[clientKeys.indexOf(key)] ?? "";

/** The HTTP method before the name of an endpoint, as in the sidebar. */
export const methodPill = (marker: string): HTMLElement =>
  create("span", { class: "method-nav-pill", "data-method": marker }, marker === "DELETE" ? "DEL" : marker);
