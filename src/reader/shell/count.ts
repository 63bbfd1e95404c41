/** Runs on every page of a site that counts views. The settings precede this script in the same file. */
import { bundleRoot } from "../dom.js";

declare global {
  interface Window {
    offprintCount?: {
      readonly url: string;
      readonly searches: boolean;
      /** Labels of the thumbs by language of the page; undefined if the site has no thumbs. */
      readonly thumbs?: Readonly<Record<string, readonly [up: string, down: string]>>;
    };
  }
}

const settings = window.offprintCount;
// Pages opened from disk are not counted.
if (settings && location.protocol.startsWith("http")) {
  wireViews(settings.url);
  if (settings.searches) wireSearches(settings.url);
  if (settings.thumbs) addThumbs(settings.url, settings.thumbs);
}

/** Sends text, which needs no CORS preflight. Nothing is stored in the browser. */
function send(url: string, message: Readonly<Record<string, string | number>>): void {
  try {
    navigator.sendBeacon(url, JSON.stringify(message));
  } catch {
    // A browser extension may have removed `sendBeacon`.
  }
}

/** The path of a URL within the site, which may be in a folder of its host. */
function sitePath(href: string): string {
  const root = new URL(bundleRoot() || "./", location.href).pathname;
  const { pathname } = new URL(href, location.href);
  return pathname.startsWith(root) ? pathname.slice(root.length - 1) : pathname;
}

/** Sends the page once, when a reader sees it: not while it is prerendered or loads in a background tab. */
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

/** Puts two buttons below the page. The first that is pressed is sent; nothing about the reader is. */
function addThumbs(url: string, labels: Readonly<Record<string, readonly [up: string, down: string]>>): void {
  const { lang, dataset } = document.documentElement;
  const texts = labels[lang];
  const content = document.querySelector(".mdx-content");
  if (!texts || !content || dataset.currentPath === undefined) return;
  const row = document.createElement("p");
  row.className = "page-source";
  row.setAttribute("role", "group");
  const buttons = texts.map((text, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `${["\u{1F44D}", "\u{1F44E}"][index]} ${text}`;
    button.addEventListener("click", () => {
      send(url, { p: dataset.currentPath!, h: 1 - index });
      for (const other of buttons) {
        other.disabled = true;
        other.setAttribute("aria-pressed", String(other === button));
        if (other !== button) other.style.opacity = "0.5";
      }
    });
    return button;
  });
  row.append(...buttons);
  content.after(row);
}

/** Sends the reader's search query when the search dialog closes or the reader leaves the page. */
function wireSearches(url: string): void {
  let sent = "";
  let opened: string | undefined;
  const searchDialog = (): HTMLElement | null => document.querySelector<HTMLElement>(".search-dialog");
  const report = (): void => {
    const dialog = searchDialog();
    const query = dialog?.querySelector<HTMLInputElement>(".search-field")?.value.trim().slice(0, 100) ?? "";
    if (query.length < 2 || query === sent) return;
    sent = query;
    const results = dialog!.querySelectorAll("a.search-hit").length;
    send(url, { q: query, n: results, ...(opened !== undefined && { c: opened }) });
    opened = undefined;
  };
  const note = (option: Element | null | undefined): void => {
    if (option instanceof HTMLAnchorElement) opened = sitePath(option.href);
  };
  // Capture: the dialog's own handlers close it.
  const on = (type: string, handle: (event: Event) => void): void => document.addEventListener(type, handle, true);
  on("click", (event) => note((event.target as Element).closest?.(".search-dialog a.search-hit")));
  on("keydown", (event) => {
    if ((event as KeyboardEvent).key === "Enter")
      note(searchDialog()?.querySelector('a.search-hit[aria-selected="true"]'));
  });
  on("close", (event) => {
    if (event.target === searchDialog()) report();
  });
  addEventListener("pagehide", report);
}
