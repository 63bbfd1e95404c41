import { copy, showResult } from "../copy.js";
import { all, closestTo, onClick } from "../dom.js";
import { loadScript } from "../load-script.js";

declare global {
  interface Window {
    offprintMarkdown?: (text: string) => void;
  }
}

/** Longest Markdown put into an address, in UTF-16 code units: servers refuse long addresses. */
const maxAddressLength = 6000;

/** Actions on the whole page: copy its Markdown, open it in an assistant, print. */
export function wirePageMenu(): void {
  const source = document.querySelector<HTMLElement>("[data-markdown]")?.dataset.markdown;
  onClick("[data-print]", () => print());
  if (source === undefined) return;
  let markdown: string | undefined;
  let loading: Promise<void> | undefined;
  const load = (): Promise<void> => {
    window.offprintMarkdown = (text) => {
      markdown = text;
    };
    loading ??= loadScript(source).then(() => {
      for (const link of all<HTMLAnchorElement>("a[data-page-href]")) link.href = addressOf(link, markdown ?? "");
    });
    return loading;
  };
  // Until the text is loaded these links have no address and could not be focused.
  for (const link of all("a[data-page-href]:not([href])")) link.tabIndex = 0;
  // Browsers allow copying only shortly after a click, so the text is loaded before the click.
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

function addressOf(link: HTMLElement, markdown: string): string {
  const text = markdown.length > maxAddressLength ? `${markdown.slice(0, maxAddressLength)}…` : markdown;
  // A cut surrogate pair cannot be encoded.
  return link.dataset.pageHref!.replaceAll("%24page", encodeURIComponent(text.replace(/\p{Surrogate}/gu, "")));
}
