import { all, closestTo, stepByKey } from "../dom.js";

/**
 * Menus are `details` elements. This keeps them on the screen, adds arrow keys, and closes them on Escape, on a click
 * outside and when the focus leaves.
 */
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
