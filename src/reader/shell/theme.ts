import { recall, remember } from "../storage.js";

/** Sets the colour mode: the reader's choice, else the site's, else the system's. */
export function applyMode(): void {
  const root = document.documentElement;
  const { appearance, appearanceStrict } = root.dataset;
  const mode = (appearanceStrict === undefined && recall("mode")) || appearance || "system";
  const dark = mode === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : mode === "dark";
  root.classList.toggle("dark", dark);
}

/** The button that switches between light and dark. Until it is used, pages follow the system. Printed pages are light. */
export function wireTheme(): void {
  const root = document.documentElement;
  const printing = matchMedia("print");
  let wasDark = false;
  const setPrinting = (isPrinting: boolean): void => {
    wasDark ||= root.classList.contains("dark");
    root.classList.toggle("dark", !isPrinting && wasDark);
    if (!isPrinting) wasDark = false;
  };
  addEventListener("beforeprint", () => setPrinting(true));
  addEventListener("afterprint", () => setPrinting(false));
  printing.addEventListener("change", () => setPrinting(printing.matches));
  if (printing.matches) setPrinting(true);
  for (const button of document.querySelectorAll<HTMLButtonElement>(".theme-toggle"))
    button.addEventListener("click", () => {
      const dark = root.classList.toggle("dark");
      remember("mode", dark ? "dark" : "light");
    });
  // The reader may have changed the mode on another page while this one was prerendered or cached.
  document.addEventListener("prerenderingchange", applyMode);
  addEventListener("pageshow", (event) => {
    if (event.persisted) applyMode();
  });
  if (root.dataset.appearance !== "system") return;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => {
    if (recall("mode") === null) root.classList.toggle("dark", event.matches);
  });
}
