import { all, create, makeButton } from "../dom.js";

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
  const inner = create("div", { id: "mobile-nav-content" }, bar, tabs, links);
  const dialog = create(
    "dialog",
    { id: "mobile-nav", autofocus: "", "aria-label": trigger.getAttribute("aria-label") ?? "" },
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
