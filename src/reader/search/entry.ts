import { all, bundleRoot, onClick, pageMessage } from "../dom.js";
import { loadScript, loadStyle } from "../load-script.js";
import { recallInTab } from "../storage.js";
import type { OpenSearch, SearchHost, ShowNearPages } from "./search-host.js";

declare global {
  interface Window {
    /** Set by the search script, which is loaded when a reader first uses it. */
    offprintOpenSearch?: OpenSearch;
    /** Set by the same script. */
    offprintShowNear?: ShowNearPages;
    /** Set by the same script. */
    offprintMarkFound?: () => void;
  }
}

/** The buttons, keys and URLs that open the search. */
export function wireSearch(): void {
  const entry = document.querySelector<HTMLElement>("[data-search]");
  if (!entry) return;
  const root = bundleRoot();
  const { search = "", product = 0, script, style } = entry.dataset;
  const [label] = all(".search-label", entry);
  const host: SearchHost = {
    load: (path) => loadScript(root + path),
    root,
    indexes: search.split(" "),
    product: Number(product),
    prompt: label?.textContent ?? "",
  };
  let loading: Promise<unknown> | undefined;
  const load = (): Promise<unknown> => {
    loading ??= Promise.all([loadScript(root + script), loadStyle(root + style)]);
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  /** What the reader types while the dialog loads; undefined if it is not loading. */
  let typed: string | undefined;
  const open = (query = ""): void => {
    typed ??= query;
    load().then(
      () => {
        window.offprintOpenSearch?.(host, typed || undefined);
        typed = undefined;
      },
      () => {
        typed = undefined;
        if (label) label.textContent = pageMessage("searchFailed");
      },
    );
  };

  onClick(".search-button", () => open());
  for (const kind of ["pointerenter", "focusin"]) entry.addEventListener(kind, () => void load().catch(() => {}));
  document.addEventListener("keydown", (event) => {
    if (typed !== undefined && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      typed += event.key;
      return;
    }
    const isShortcut =
      event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey;
    const isSlash =
      event.key === "/" && !event.metaKey && !event.ctrlKey && !event.altKey && !isTextInput(event.target);
    if (!isShortcut && !isSlash) return;
    event.preventDefault();
    open();
  });
  if (/Mac|iP/.test(navigator.platform)) for (const keys of all(".search-keys", entry)) keys.textContent = "⌘K";
  const query = new URLSearchParams(location.search).get("search");
  if (query !== null) open(query);
  // The page is the result of a search.
  if (recallInTab("found") !== null)
    load().then(
      () => window.offprintMarkFound?.(),
      () => {},
    );
  const [near] = all(".not-found-near");
  // Opened at its own URL, the 404 page cannot know which page was requested.
  if (near && !/\/404(?:\.html)?$/.test(location.pathname))
    load().then(
      () => window.offprintShowNear?.(host, near),
      () => {},
    );
}

const isTextInput = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
