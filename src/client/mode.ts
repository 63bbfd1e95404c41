import { recall } from "./memory.js";

/** Sets the colour mode: the reader's choice, else the site's, else the system's. */
export function applyMode(): void {
  const root = document.documentElement;
  const { appearance, appearanceStrict } = root.dataset;
  const mode = (appearanceStrict === undefined && recall("mode")) || appearance || "system";
  const dark = mode === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : mode === "dark";
  root.classList.toggle("dark", dark);
}
