import { all } from "../dom.js";
import { recall, remember } from "../storage.js";

const views = (): HTMLElement[] =>
  all(".mdx-content [data-view]").filter((view) => !view.parentElement!.closest("[data-view]"));
const menu = (): HTMLSelectElement | null => document.querySelector<HTMLSelectElement>(".multi-view-dropdown");

/** Shows one view of the page at a time, chosen in the page's header and remembered for other pages. */
export function wireViews(): void {
  const select = menu();
  const first = views()[0];
  if (!select || !first) return;
  document.documentElement.dataset.views = "";
  show(views().find((view) => view.dataset.viewTitle === recall("view")) ?? first);
  select.addEventListener("change", () => {
    const chosen = views().find((view) => view.id === select.value);
    if (!chosen) return;
    show(chosen);
    remember("view", chosen.dataset.viewTitle ?? "");
  });
}

/** Shows a view, and returns whether it was hidden. */
export function showViewOf(view: HTMLElement): boolean {
  if (!menu() || view.hasAttribute("data-active") || !views().includes(view)) return false;
  show(view);
  return true;
}

function show(chosen: HTMLElement): void {
  const title = chosen.dataset.viewTitle;
  const ids = new Set<string>();
  for (const view of views()) {
    const active = view.dataset.viewTitle === title;
    view.toggleAttribute("data-active", active);
    if (active) ids.add(view.id);
  }
  for (const entry of all(".toc-item[data-view]")) entry.hidden = !ids.has(entry.dataset.view!);
  menu()!.value = chosen.id;
}
