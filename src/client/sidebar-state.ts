import { scrollToMiddle } from "./dom.js";

/** How the reader left the sidebar, for the next pages in the same tab. */
interface SidebarState {
  /** Pixels scrolled. */
  readonly top: number;
  /** Whether a group is open, by division and number. */
  readonly open: Readonly<Record<string, boolean>>;
}

const storageKey = "offprint-sidebar";

function loadState(): SidebarState | null | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
  } catch {
    return undefined;
  }
}

export function saveSidebar(): void {
  const open = { ...loadState()?.open };
  for (const group of groups()) open[groupKey(group)] = group.open;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ top: sidebar()?.scrollTop ?? 0, open }));
  } catch {
    // Without storage every page starts with the sidebar as exported.
  }
}

/** Groups around the current page stay open in any case. */
export function restoreGroups(): void {
  const open = loadState()?.open ?? {};
  for (const group of groups()) {
    const wasOpen = open[groupKey(group)];
    if (wasOpen !== undefined) group.open = wasOpen || group.querySelector("[aria-current]") !== null;
  }
}

/** Scrolls to where the reader was, and further if the entry of the current page is out of sight there. */
export function restoreScroll(): void {
  const box = sidebar();
  if (!box) return;
  box.scrollTop = loadState()?.top ?? 0;
  const current = box.querySelector('[aria-current="page"]');
  if (current) scrollToMiddle(box, current);
}

const sidebar = () => document.querySelector<HTMLElement>(".site-sidebar");
const groups = () => document.querySelectorAll<HTMLDetailsElement>("details[data-group]");
const groupKey = (group: HTMLElement): string =>
  `${group.closest<HTMLElement>("[data-division]")?.dataset.division} ${group.dataset.group}`;
