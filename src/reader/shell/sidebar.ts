import { all, bundleRoot, create, makeButton, methodPill, onClick, scrollToMiddle } from "../dom.js";
import { loadScript } from "../load-script.js";
import { recallInTab, rememberInTab } from "../storage.js";

/** An entry of the navigation script; `nav-script.ts` describes the format. */
type NavNode =
  | [0, string, string, (string | 0)?, string?]
  | [1, string, NavNode[], number, string?]
  | [2, string, string];

declare global {
  interface Window {
    offprintNav?: (nodes: NavNode[]) => void;
  }
}

/** The sidebar keeps its position between pages. In a large one, closed groups are loaded when they are opened. */
export function wireSidebar(): void {
  const content = document.querySelector<HTMLElement>(".sidebar-content");
  if (!content) return;
  restoreScroll();
  addEventListener("pagehide", saveSidebar);
  // A prerendered page is shown before `pagehide` fires on this one.
  onClick("a[href]", saveSidebar);
  document.addEventListener("prerenderingchange", () => {
    restoreGroups();
    restoreScroll();
  });
  const source = content.dataset.navScript;
  if (source === undefined) return;
  let nodes: Promise<NavNode[]> | undefined;
  onClick("a[data-nav-group]", (link, event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    link.setAttribute("aria-busy", "true");
    nodes ??= load(source);
    nodes.then(
      (tree) => unfold(link as HTMLAnchorElement, findGroup(tree, Number(link.dataset.navGroup))),
      () => location.assign((link as HTMLAnchorElement).href),
    );
  });
}

async function load(source: string): Promise<NavNode[]> {
  let nodes: NavNode[] = [];
  window.offprintNav = (loaded) => {
    nodes = loaded;
  };
  await loadScript(source);
  return nodes;
}

function findGroup(nodes: readonly NavNode[], id: number): NavNode[] {
  for (const node of nodes) {
    if (node[0] !== 1) continue;
    if (node[3] === id) return node[2];
    const group = findGroup(node[2], id);
    if (group.length > 0) return group;
  }
  return [];
}

function unfold(link: HTMLAnchorElement, nodes: readonly NavNode[]): void {
  const section = link.closest(".sidebar-section[data-folded]");
  if (section && link.closest(".sidebar-title")) {
    section.removeAttribute("data-folded");
    link.removeAttribute("data-nav-group");
    link.removeAttribute("aria-busy");
    section.append(navList(nodes));
    return;
  }
  const summary = create("summary", "sidebar-link", ...link.childNodes);
  const details = nested(link.dataset.navGroup!, summary, navList(nodes));
  details.open = true;
  link.replaceWith(details);
  summary.focus();
}

function navList(nodes: readonly NavNode[]): HTMLElement {
  const root = bundleRoot();
  const label = (text: string) => create("span", {}, text);
  const items = nodes.map((node) => {
    if (node[0] === 1) {
      const inner = navList(node[2]);
      if (node[4] !== undefined)
        inner.prepend(item(create("a", { class: "sidebar-link", href: root + node[4] }, label(node[1]))));
      const summary = create("summary", "sidebar-link", label(node[1]));
      return item(nested(String(node[3]), summary, inner));
    }
    const outside = /^[a-z][a-z0-9+.-]*:|^\/\//i.test(node[2]);
    const link = create("a", { class: "sidebar-link", href: outside ? node[2] : root + node[2] });
    if (node[0] === 0 && node[3]) link.append(methodPill(node[3]));
    const text = label(node[1]);
    if (node[0] === 0 && node[4]) text.append(" ", create("span", "nav-tag-pill", node[4]));
    link.append(text);
    return item(link);
  });
  return create("ul", "sidebar-group", ...items);
}

const nested = (group: string, ...children: Node[]): HTMLDetailsElement =>
  create("details", { class: "sidebar-nested", "data-group": group }, ...children);
const item = (child: Node): HTMLElement => create("li", {}, child);

/** The sidebar as the reader left it, for later pages in the same tab. */
interface SidebarState {
  /** Pixels scrolled. */
  readonly top: number;
  /** Whether each group is open, by division and number. */
  readonly open: Readonly<Record<string, boolean>>;
}

const loadState = () => recallInTab("sidebar") as SidebarState | null;

function saveSidebar(): void {
  const open = { ...loadState()?.open };
  for (const group of groups()) open[groupKey(group)] = group.open;
  rememberInTab("sidebar", { top: sidebar()?.scrollTop ?? 0, open });
}

/** Groups around the current page always stay open. */
export function restoreGroups(): void {
  const open = loadState()?.open ?? {};
  for (const group of groups()) {
    const wasOpen = open[groupKey(group)];
    if (wasOpen !== undefined) group.open = wasOpen || group.querySelector("[aria-current]") !== null;
  }
}

/** Scrolls to the last position, and further if the entry of the current page is out of view there. */
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

/**
 * On narrow screens the navigation opens as a dialog, in which the browser traps the focus and which Escape closes. While
 * it is open, the content of the sidebar moves into it, so that the page contains the navigation once.
 */
export function wireDrawer(): void {
  const trigger = document.querySelector<HTMLAnchorElement>(".mobile-nav-trigger");
  const sidebar = document.querySelector<HTMLElement>(".site-sidebar");
  const content = document.querySelector<HTMLElement>(".sidebar-content");
  if (!trigger || !sidebar || !content) return;
  trigger.setAttribute("aria-expanded", "false");
  let dialog: HTMLDialogElement | undefined;

  makeButton(trigger, () => {
    dialog ??= makeDialog(trigger, sidebar, () => {
      dialog!.firstElementChild!.append(content.querySelector(".mobile-nav-links")!);
      sidebar.append(content);
      trigger.setAttribute("aria-expanded", "false");
    });
    if (dialog.open) return;
    const inner = dialog.firstElementChild!;
    // The entries scroll below the tabs and the switchers, and the links are at their end.
    content.lastElementChild!.append(inner.querySelector(".mobile-nav-links")!);
    inner.append(content);
    trigger.setAttribute("aria-expanded", "true");
    dialog.showModal();
    content.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });
  });
  matchMedia("(width >= 64rem)").addEventListener("change", () => dialog?.close());
}

function makeDialog(trigger: HTMLElement, sidebar: HTMLElement, onClose: () => void): HTMLDialogElement {
  const close = sidebar.querySelector<HTMLElement>(".sidebar-close")!.cloneNode(true) as HTMLElement;
  close.setAttribute("role", "button");
  const home = document.querySelector(".navbar .nav-home")?.cloneNode(true) ?? "";
  const links = linkList("mobile-nav-links", "mobile-nav-link", all(".navbar-links a"));
  const tabs = linkList("mobile-nav-tabs", "mobile-nav-tabs-item", all(".nav-tabs :is(a.nav-tabs-item, a.menu-item)"));
  const bar = create("div", "mobile-nav-bar", home, close);
  const inner = create("div", { id: "mobile-nav-content", class: "mobile-nav-content" }, bar, tabs, links);
  const dialog = create(
    "dialog",
    { id: "mobile-nav", class: "mobile-nav", autofocus: "", "aria-label": trigger.getAttribute("aria-label") ?? "" },
    inner,
  );
  dialog.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a");
    if (event.target === dialog || link === close) {
      event.preventDefault();
      dialog.close();
    } else if (link?.hash && link.pathname === location.pathname) dialog.close();
  });
  dialog.addEventListener("close", onClose);
  document.body.append(dialog);
  return dialog;
}

/** Copies of the links that a narrow header has no room for; hidden if there are none. */
function linkList(className: string, itemClass: string, links: readonly HTMLElement[]): HTMLElement {
  const element = create("ul", className);
  for (const link of links) {
    const copy = link.cloneNode(true) as HTMLElement;
    copy.className = itemClass;
    element.append(create("li", {}, copy));
  }
  element.hidden = links.length === 0;
  return element;
}
