import { recall, remember } from "../storage.js";

/** Sets the colour mode: the reader's choice, else the site's, else the system's. */
export function applyMode(): void {
  const root = document.documentElement;
  const { appearance, appearanceStrict } = root.dataset;
  const mode = (appearanceStrict === undefined && recall("mode")) || appearance || "system";
  const dark = mode === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : mode === "dark";
  root.classList.toggle("dark", dark);
}

/** The button for light and dark. Until it is used, the page follows the system. Printed pages are always light. */
export function wireTheme(): void {
  const root = document.documentElement;
  const paper = matchMedia("print");
  let wasDark = false;
  const print = (isPaper: boolean): void => {
    if (isPaper) wasDark ||= root.classList.contains("dark");
    root.classList.toggle("dark", !isPaper && (wasDark || root.classList.contains("dark")));
    if (!isPaper) wasDark = false;
  };
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
  paper.addEventListener("change", () => print(paper.matches));
  if (paper.matches) print(true);
  for (const button of document.querySelectorAll<HTMLButtonElement>(".theme-toggle"))
    button.addEventListener("click", () => {
      const dark = root.classList.toggle("dark");
      remember("mode", dark ? "dark" : "light");
    });
  // The reader may have changed the mode on another page while the browser kept or prepared this one.
  document.addEventListener("prerenderingchange", applyMode);
  addEventListener("pageshow", (event) => {
    if (event.persisted) applyMode();
  });
  if (root.dataset.appearance !== "system") return;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => {
    if (recall("mode") === null) root.classList.toggle("dark", event.matches);
  });
}
