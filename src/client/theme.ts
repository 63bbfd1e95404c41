import { recall, remember } from "./memory.ts";

/** The button that switches between light and dark; until it is used, the page follows the system. */
export function wireTheme(): void {
  const root = document.documentElement;
  for (const button of document.querySelectorAll<HTMLButtonElement>(".theme-toggle"))
    button.addEventListener("click", () => {
      const dark = root.classList.toggle("dark");
      remember("mode", dark ? "dark" : "light");
    });
  if (root.dataset.appearance !== "system") return;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => {
    if (recall("mode") === undefined) root.classList.toggle("dark", event.matches);
  });
}
