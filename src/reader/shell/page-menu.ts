import { copy, showResult } from "../copy.js";
import { all, closestTo, onClick, stepByKey } from "../dom.js";
import { loadScript } from "../load-script.js";

declare global {
  interface Window {
    offprintMarkdown?: (text: string) => void;
  }
}

/** Maximum length of the Markdown in a URL, in UTF-16 code units: servers refuse long URLs. */
const maxAddressLength = 6000;

/** Actions on the whole page: copy its Markdown, open it in an assistant, print it. */
export function wirePageMenu(): void {
  const source = document.querySelector<HTMLElement>("[data-markdown]")?.dataset.markdown;
  onClick("[data-print]", () => print());
  onClick("[data-copy-text]", (button) => copy(button.dataset.copyText!, button));
  if (source === undefined) return;
  let markdown: string | undefined;
  let loading: Promise<void> | undefined;
  const load = (): Promise<void> => {
    window.offprintMarkdown = (text) => {
      markdown = text;
    };
    loading ??= loadScript(source).then(() => {
      for (const link of all<HTMLAnchorElement>("a[data-page-href]")) link.href = assistantUrl(link, markdown ?? "");
    });
    return loading;
  };
  // These links have no `href` until the text is loaded, so they need a tab index.
  for (const link of all("a[data-page-href]:not([href])")) link.tabIndex = 0;
  // Browsers allow copying only shortly after a click, so load the text before it.
  for (const type of ["pointerover", "focusin"])
    document.addEventListener(
      type,
      (event) => {
        if (closestTo(event, ".page-menu, .page-menu-list")) load().catch(() => {});
      },
      { capture: true, passive: true },
    );
  onClick("[data-page-copy]", (button) => {
    if (markdown !== undefined) return copy(markdown, button);
    load().then(
      () => copy(markdown ?? "", button),
      () => showResult(button, false),
    );
  });
  onClick("a[data-page-href]:not([href])", (link) => {
    load().then(
      () => link.click(),
      () => showResult(link, false),
    );
  });
}

function assistantUrl(link: HTMLElement, markdown: string): string {
  const text = markdown.length > maxAddressLength ? `${markdown.slice(0, maxAddressLength)}…` : markdown;
  // Cutting the text may split a surrogate pair, which `encodeURIComponent` rejects.
  return link.dataset.pageHref!.replaceAll("%24page", encodeURIComponent(text.replace(/\p{Surrogate}/gu, "")));
}

/** Keeps `details` menus on the screen, adds arrow keys, and closes them on Escape, a click outside or lost focus. */
export function wireMenus(): void {
  const open = (): HTMLDetailsElement[] => all<HTMLDetailsElement>("details.menu[open]");
  document.addEventListener("toggle", (event) => keepOnScreen(event.target as Element), true);
  for (const type of ["click", "focusin"])
    document.addEventListener(type, (event) => {
      for (const menu of open()) if (!menu.contains(event.target as Node)) menu.open = false;
    });
  document.addEventListener("keydown", (event) => {
    const menu = closestTo<HTMLDetailsElement>(event, "details.menu");
    if (!menu) return;
    const summary = menu.querySelector("summary")!;
    if (event.key === "Escape" && menu.open) {
      menu.open = false;
      summary.focus();
      event.stopPropagation();
      return;
    }
    if (!menu.open && event.key === "ArrowDown") menu.open = true;
    const items = all(".menu-item", menu);
    const next = menu.open
      ? stepByKey(event.key, items.indexOf(event.target as HTMLElement), items.length, ["ArrowUp", "ArrowDown"])
      : undefined;
    if (next === undefined) return;
    event.preventDefault();
    items[next]?.focus();
  });
}

/** The panel of one of the last tabs may extend beyond the edge of the screen. */
function keepOnScreen(menu: Element): void {
  const panel = menu.matches("details.menu-tab[open]") && menu.querySelector<HTMLElement>(".menu-panel");
  if (!panel) return;
  panel.removeAttribute("data-flipped");
  const { left, right } = panel.getBoundingClientRect();
  panel.toggleAttribute("data-flipped", left < 0 || right > document.documentElement.clientWidth);
}
