/** On every page of a site that counts its views. The settings are in front of this script, in the same file. */
import { bundleRoot } from "../dom.js";

declare global {
  interface Window {
    offprintCount?: { readonly url: string; readonly searches: boolean };
  }
}

const settings = window.offprintCount;
// A page that is opened from a disk is nobody's to count.
if (settings && location.protocol.startsWith("http")) {
  wireViews(settings.url);
  if (settings.searches) wireSearches(settings.url);
}

/** Text needs no permission of the service to be sent. Nothing is stored in the browser. */
function send(url: string, message: Readonly<Record<string, string | number>>): void {
  try {
    navigator.sendBeacon(url, JSON.stringify(message));
  } catch {
    // An extension of the browser may have removed it.
  }
}

/** Path of an address within the site, which may be in a folder of its host. */
function pathOf(href: string): string {
  const root = new URL(bundleRoot() || "./", location.href).pathname;
  const { pathname } = new URL(href, location.href);
  return pathname.startsWith(root) ? pathname.slice(root.length - 1) : pathname;
}

/** Sends the page once, when a reader sees it: not while it is prerendered or loads in a tab in the background. */
function wireViews(url: string): void {
  let isSent = false;
  const sendWhenSeen = (): void => {
    if (isSent || document.visibilityState !== "visible") return;
    isSent = true;
    send(url, { p: document.documentElement.dataset.currentPath ?? "", ...(navigator.webdriver && { w: 1 }) });
  };
  document.addEventListener("visibilitychange", sendWhenSeen);
  sendWhenSeen();
}

/** Sends what a reader looked for, once the dialog of the search closes or the reader leaves the page. */
function wireSearches(url: string): void {
  let sent = "";
  let opened: string | undefined;
  const dialogOf = (): HTMLElement | null => document.getElementById("search-dialog");
  const report = (): void => {
    const dialog = dialogOf();
    const query = dialog?.querySelector<HTMLInputElement>(".search-field")?.value.trim().slice(0, 100) ?? "";
    if (query.length < 2 || query === sent) return;
    sent = query;
    const results = dialog!.querySelectorAll("a.search-hit").length;
    send(url, { q: query, n: results, ...(opened !== undefined && { c: opened }) });
    opened = undefined;
  };
  const note = (option: Element | null | undefined): void => {
    if (option instanceof HTMLAnchorElement) opened = pathOf(option.href);
  };
  // They come before those of the dialog, which closes it.
  const on = (type: string, handle: (event: Event) => void): void => document.addEventListener(type, handle, true);
  on("click", (event) => note((event.target as Element).closest?.("#search-dialog a.search-hit")));
  on("keydown", (event) => {
    if ((event as KeyboardEvent).key === "Enter") note(dialogOf()?.querySelector('a.search-hit[aria-selected="true"]'));
  });
  on("close", (event) => {
    if (event.target === dialogOf()) report();
  });
  addEventListener("pagehide", report);
}
