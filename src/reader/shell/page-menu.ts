import { copy, showResult } from "../copy.js";
import { all, closestTo, onClick } from "../dom.js";
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
