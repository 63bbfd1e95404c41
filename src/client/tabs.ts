import { all, arrowsAlong, fragmentTarget, onClick, replaceAddress, stepByKey } from "./dom.ts";
import { recall, remember } from "./memory.ts";

const buttonsOf = (group: HTMLElement): HTMLElement[] =>
  all('[role="tab"]', group).filter((button) => button.closest("[data-tabs]") === group);
const panelsOf = (group: HTMLElement): HTMLElement[] =>
  all('[role="tabpanel"]', group).filter((panel) => panel.closest("[data-tabs]") === group);

/** Tabs and code groups: by mouse and keyboard, in step with groups that have a tab of the same title, remembered. */
export function wireTabs(): void {
  const preferred = savedTitles();
  for (const group of all("[data-tabs][data-tab-sync]")) {
    const buttons = buttonsOf(group);
    const titles = buttons.map((button) => button.dataset.tabTitle);
    const title = preferred.find((each) => titles.includes(each));
    if (title !== undefined) select(group, titles.indexOf(title));
  }
  onClick('[data-tabs] [role="tab"]', (button) => choose(button));
  document.addEventListener("keydown", (event) => {
    const button = (event.target as Element | null)?.closest?.<HTMLElement>('[data-tabs] [role="tab"]');
    const group = button?.closest<HTMLElement>("[data-tabs]");
    if (!button || !group) return;
    const buttons = buttonsOf(group).filter((each) => each.getAttribute("aria-disabled") !== "true");
    const next = stepByKey(event.key, buttons.indexOf(button), buttons.length, arrowsAlong());
    if (next === undefined) return;
    event.preventDefault();
    buttons[next]!.focus();
    choose(buttons[next]!);
  });
}

/** Opens the tab that an element stands in. */
export function showPanelOf(panel: HTMLElement): void {
  const group = panel.closest<HTMLElement>("[data-tabs]");
  if (group) select(group, panelsOf(group).indexOf(panel));
}

function choose(button: HTMLElement): void {
  const group = button.closest<HTMLElement>("[data-tabs]")!;
  if (button.getAttribute("aria-disabled") === "true") return;
  const top = button.getBoundingClientRect().top;
  select(group, buttonsOf(group).indexOf(button));
  const title = button.dataset.tabTitle;
  if (group.dataset.tabSync !== undefined && title !== undefined) {
    for (const other of all("[data-tabs][data-tab-sync]")) {
      const at = buttonsOf(other).findIndex((each) => each.dataset.tabTitle === title);
      if (other !== group && at >= 0) select(other, at);
    }
    remember("tabs", JSON.stringify([title, ...savedTitles().filter((each) => each !== title)].slice(0, 20)));
  }
  // Other groups have changed their height: what the reader pressed stays under his pointer.
  scrollBy({ top: button.getBoundingClientRect().top - top, behavior: "instant" });
  const panel = button.getAttribute("aria-controls");
  if (panel) replaceAddress(`#${encodeURIComponent(panel)}`);
  else if (fragmentTarget()?.closest("[data-tabs]") === group) replaceAddress(location.pathname + location.search);
}

function select(group: HTMLElement, at: number): void {
  const buttons = buttonsOf(group);
  const panels = panelsOf(group);
  if (!buttons[at] || buttons[at].getAttribute("aria-disabled") === "true") return;
  buttons.forEach((button, index) => {
    button.setAttribute("aria-selected", String(index === at));
    button.tabIndex = index === at ? 0 : -1;
    button.toggleAttribute("data-active", index === at);
  });
  panels.forEach((panel, index) => {
    panel.toggleAttribute("data-active", index === at);
  });
}

function savedTitles(): string[] {
  try {
    const saved: unknown = JSON.parse(recall("tabs") ?? "[]");
    return Array.isArray(saved) ? saved.filter((each): each is string => typeof each === "string") : [];
  } catch {
    return [];
  }
}
