import { all, arrowsAlong, closestTo, onClick } from "../dom.js";

const typeAheadMs = 500;

/** File trees, by mouse and keyboard as in the ARIA tree pattern. */
export function wireTrees(): void {
  onClick("[data-tree] .tree-folder-title", (title) => {
    const item = title.closest<HTMLElement>('[role="treeitem"]')!;
    toggle(item, item.getAttribute("aria-expanded") === "false");
    focus(item);
  });
  let typed = "";
  let typedAt = 0;
  document.addEventListener("keydown", (event) => {
    const item = event.target as HTMLElement;
    const tree = closestTo(event, "[data-tree]");
    if (!tree || item.getAttribute("role") !== "treeitem" || event.ctrlKey || event.metaKey || event.altKey) return;
    const items = all('[role="treeitem"]', tree).filter((entry) => entry.getClientRects().length > 0);
    const at = items.indexOf(item);
    const expanded = item.getAttribute("aria-expanded");
    const parent = item.parentElement!.closest<HTMLElement>('[role="treeitem"]');
    const [back, forward] = arrowsAlong();
    let next: HTMLElement | null | undefined;
    if (event.key === "ArrowDown") next = items[at + 1];
    else if (event.key === "ArrowUp") next = items[at - 1];
    else if (event.key === "Home") next = items[0];
    else if (event.key === "End") next = items[items.length - 1];
    else if (event.key === forward) {
      if (expanded === "false") toggle(item, true);
      else if (expanded === "true") next = items[at + 1];
    } else if (event.key === back) {
      if (expanded === "true") toggle(item, false);
      else next = parent;
    } else if (event.key === "Enter" || event.key === " ") toggle(item, expanded === "false");
    else if (event.key === "*") for (const sibling of siblings(item)) toggle(sibling, true);
    else if (event.key.length === 1) {
      typed = event.timeStamp - typedAt > typeAheadMs ? event.key : typed + event.key;
      typedAt = event.timeStamp;
      const order = [...items.slice(at + (typed.length === 1 ? 1 : 0)), ...items.slice(0, at)];
      next = order.find((entry) => itemName(entry).startsWith(typed.toLowerCase()));
    } else return;
    event.preventDefault();
    if (next) focus(next);
  });
}

function toggle(item: HTMLElement, open: boolean): void {
  if (item.hasAttribute("aria-expanded")) item.setAttribute("aria-expanded", String(open));
}

function focus(item: HTMLElement): void {
  for (const entry of all('[role="treeitem"]', item.closest("[data-tree]")!)) entry.tabIndex = entry === item ? 0 : -1;
  item.focus();
}

const siblings = (item: HTMLElement): HTMLElement[] => [...item.parentElement!.children] as HTMLElement[];
const itemName = (item: HTMLElement): string => (item.querySelector(".tree-name")?.textContent ?? "").toLowerCase();
