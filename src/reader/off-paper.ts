import { all } from "./dom.js";

/** Hides elements that a site fixes to the screen, such as cookie bars and chat buttons, in print: they would cover every page. */
export function wireOffPaper(): void {
  const mark = (): void => {
    for (const element of all("body *"))
      if (getComputedStyle(element).position === "fixed" && !element.querySelector("main, .mdx-content"))
        element.dataset.offPaper = "";
  };
  addEventListener("beforeprint", mark);
  // Tools that emulate print send only this event.
  matchMedia("print").addEventListener("change", ({ matches }) => matches && mark());
}
