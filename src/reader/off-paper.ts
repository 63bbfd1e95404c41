import { all } from "./dom.js";

/** Keeps what a site fixes to the screen (cookie bars, chat buttons) off paper, where it would cover every page. */
export function wireOffPaper(): void {
  const mark = (): void => {
    for (const element of all("body *"))
      if (getComputedStyle(element).position === "fixed" && !element.querySelector("main, .mdx-content"))
        element.dataset.offPaper = "";
  };
  addEventListener("beforeprint", mark);
  // Also sent by tools that show the page as it prints.
  matchMedia("print").addEventListener("change", ({ matches }) => matches && mark());
}
