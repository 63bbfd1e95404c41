import { all, arrowsAlong, closestTo, fragmentTarget, onClick, replaceAddress, stepByKey } from "../dom.js";
import { recall, remember, savedTitles, saveTitle } from "../storage.js";

/** Elements of a group, without those of groups nested in its panels. */
const elementsOf = (group: HTMLElement, selector: string): HTMLElement[] =>
  all(selector, group).filter((element) => groupOf(element) === group);
const buttonsOf = (group: HTMLElement): HTMLElement[] => elementsOf(group, '[role="tab"]');
const panelsOf = (group: HTMLElement): HTMLElement[] => elementsOf(group, ".tab-panel");
const menuOf = (group: HTMLElement): HTMLSelectElement | undefined =>
  elementsOf(group, "select.code-group-select")[0] as HTMLSelectElement | undefined;
const titlesOf = (group: HTMLElement): (string | undefined)[] =>
  elementsOf(group, "[data-tab-title]").map(({ dataset }) => dataset.tabTitle);
/** An example of a response follows the example of the request with its name: the tab of `Small` is `200 · Small`. */
const indexOfTitle = (group: HTMLElement, title: string): number =>
  titlesOf(group).findIndex((tabTitle) => tabTitle === title || tabTitle?.endsWith(` · ${title}`));
const isDisabled = (button: HTMLElement): boolean => button.getAttribute("aria-disabled") === "true";

/** Tabs and code groups, by mouse and keyboard. Other groups with a tab of the chosen title follow, and it is remembered. */
export function wireTabs(): void {
  const preferred = savedTitles();
  for (const group of all("[data-tabs][data-tab-sync]")) {
    const title = preferred.find((saved) => indexOfTitle(group, saved) >= 0);
    if (title !== undefined) select(group, indexOfTitle(group, title));
  }
  onClick('[data-tabs] [role="tab"]', (button) => {
    const group = groupOf(button)!;
    if (!isDisabled(button)) choose(group, buttonsOf(group).indexOf(button), button);
  });
  document.addEventListener("change", (event) => {
    const menu = closestTo<HTMLSelectElement>(event, "select.code-group-select");
    const group = menu && groupOf(menu);
    if (group) choose(group, menu.selectedIndex, menu);
  });
  document.addEventListener("keydown", (event) => {
    const button = closestTo(event, '[data-tabs] [role="tab"]');
    const group = button && groupOf(button);
    if (!group || event.ctrlKey || event.metaKey || event.altKey) return;
    const buttons = buttonsOf(group);
    const enabled = buttons.filter((tab) => !isDisabled(tab));
    const next = stepByKey(event.key, enabled.indexOf(button), enabled.length, arrowsAlong());
    if (next === undefined) return;
    event.preventDefault();
    enabled[next]!.focus();
    choose(group, buttons.indexOf(enabled[next]!), enabled[next]!);
  });
}

const groupOf = (element: HTMLElement): HTMLElement | null => element.closest<HTMLElement>("[data-tabs]");

/** Opens the tab of a panel. */
export function showPanelOf(panel: HTMLElement): void {
  const group = groupOf(panel);
  if (group) select(group, panelsOf(group).indexOf(panel));
}

/** @param pressed stays under the pointer even if the content above it changes its height. */
function choose(group: HTMLElement, at: number, pressed: HTMLElement): void {
  const top = pressed.getBoundingClientRect().top;
  select(group, at);
  const title = titlesOf(group)[at];
  if (group.dataset.tabSync !== undefined && title !== undefined) {
    for (const other of all("[data-tabs][data-tab-sync]")) {
      const there = indexOfTitle(other, title);
      if (other !== group && there >= 0) select(other, there);
    }
    saveTitle(title);
  }
  scrollBy({ top: pressed.getBoundingClientRect().top - top, behavior: "instant" });
  const panel = pressed.getAttribute("aria-controls");
  if (panel) replaceAddress(`#${encodeURIComponent(panel)}`);
  else if (fragmentTarget()?.closest("[data-tabs]") === group) replaceAddress(location.pathname + location.search);
}

function select(group: HTMLElement, at: number): void {
  const buttons = buttonsOf(group);
  const panels = panelsOf(group);
  if (!panels[at] || (buttons[at] && isDisabled(buttons[at]))) return;
  buttons.forEach((button, index) => {
    button.setAttribute("aria-selected", String(index === at));
    button.tabIndex = index === at ? 0 : -1;
    button.toggleAttribute("data-active", index === at);
  });
  panels.forEach((panel, index) => {
    panel.toggleAttribute("data-active", index === at);
  });
  const menu = menuOf(group);
  if (menu) menu.selectedIndex = at;
  if (buttons[at]) scrollTabIntoView(buttons[at]);
}

function scrollTabIntoView(button: HTMLElement): void {
  const row = button.parentElement!;
  if (row.scrollWidth <= row.clientWidth) return;
  const box = row.getBoundingClientRect();
  const { left, right } = button.getBoundingClientRect();
  if (left < box.left || right > box.right) row.scrollLeft += (left + right - box.left - box.right) / 2;
}

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
