/** How the reader left the sidebar, for the pages that he opens next in the same tab. */
interface SidebarState {
  /** Pixels scrolled. */
  readonly top: number;
  /** Whether a group is open, by division and number. */
  readonly open: Readonly<Record<string, boolean>>;
}

const storageKey = "offprint-sidebar";

function load(): SidebarState | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? "null") ?? undefined;
  } catch {
    // Without storage every page starts as it was made.
    return undefined;
  }
}

export function saveSidebar(): void {
  const open = { ...load()?.open };
  for (const group of groups()) open[keyOf(group)] = group.open;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ top: sidebarOf()?.scrollTop ?? 0, open }));
  } catch {
    // As above.
  }
}

/** Groups around the page stay open, whatever the reader did before. */
export function restoreGroups(): void {
  const open = load()?.open ?? {};
  for (const group of groups()) {
    const wanted = open[keyOf(group)];
    if (wanted !== undefined) group.open = wanted || group.querySelector("[aria-current]") !== null;
  }
}

/** Scrolls to where the reader was, and further if the page's own entry is out of sight there. */
export function restoreScroll(): void {
  const sidebar = sidebarOf();
  if (!sidebar) return;
  sidebar.scrollTop = load()?.top ?? 0;
  const current = sidebar.querySelector('[aria-current="page"]')?.getBoundingClientRect();
  const box = sidebar.getBoundingClientRect();
  if (current && (current.top < box.top || current.bottom > box.bottom))
    sidebar.scrollTop += current.top - (box.top + box.bottom) / 2;
}

const sidebarOf = () => document.querySelector<HTMLElement>(".site-sidebar");
const groups = () => document.querySelectorAll<HTMLDetailsElement>("details[data-group]");
const keyOf = (group: HTMLElement): string =>
  `${group.closest<HTMLElement>("[data-division]")?.dataset.division} ${group.dataset.group}`;
