import { copy, tell } from "./copy.js";
import { all, onClick } from "./dom.js";
import { loadScript } from "./load-script.js";

declare global {
  interface Window {
    offprintMarkdown?: (text: string) => void;
  }
}

/** Longest Markdown put into an address, in UTF-16 code units: servers refuse longer ones. */
const longestInAddress = 6000;

/** What can be done with a page as a whole: copying its Markdown, handing it on, printing. */
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
  // Until the text is there they have no address, and the focus would pass them by.
  for (const link of all("a[data-page-href]:not([href])")) link.tabIndex = 0;
  // Copying is allowed only while a click is new, so the text is fetched when one is near.
  for (const type of ["pointerover", "focusin"])
    document.addEventListener(
      type,
      (event) => {
        if ((event.target as Element | null)?.closest?.(".page-menu, .page-menu-list")) load().catch(() => {});
      },
      { capture: true, passive: true },
    );
  onClick("[data-page-copy]", (button) => {
    if (markdown !== undefined) return copy(markdown, button);
    load().then(
      () => copy(markdown ?? "", button),
      () => tell(button, false),
    );
  });
  onClick("a[data-page-href]:not([href])", (link) => {
    load().then(
      () => link.click(),
      () => tell(link, false),
    );
  });
}

function addressOf(link: HTMLElement, markdown: string): string {
  const text = markdown.length > longestInAddress ? `${markdown.slice(0, longestInAddress)}…` : markdown;
  // Half of a character cannot be encoded.
  return link.dataset.pageHref!.replaceAll("%24page", encodeURIComponent(text.replace(/\p{Surrogate}/gu, "")));
}
