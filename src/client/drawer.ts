import { all, create } from "./dom.js";

/**
 * On narrow screens the navigation comes in as a dialog: the browser keeps focus in it and closes it on Escape. It
 * borrows the sidebar while it is open, so that the page holds the navigation once.
 */
export function wireDrawer(): void {
  const trigger = document.querySelector<HTMLAnchorElement>(".mobile-nav-trigger");
  const sidebar = document.querySelector<HTMLElement>(".site-sidebar");
  const content = document.querySelector<HTMLElement>(".sidebar-content");
  if (!trigger || !sidebar || !content) return;
  trigger.setAttribute("role", "button");
  trigger.setAttribute("aria-haspopup", "dialog");
  trigger.setAttribute("aria-expanded", "false");
  let dialog: HTMLDialogElement | undefined;

  const open = (): void => {
    dialog ??= makeDialog(trigger, sidebar, () => {
      sidebar.append(content);
      trigger.setAttribute("aria-expanded", "false");
    });
    if (dialog.open) return;
    const inner = dialog.firstElementChild!;
    inner.insertBefore(content, inner.querySelector(".mobile-nav-links"));
    trigger.setAttribute("aria-expanded", "true");
    dialog.showModal();
    content.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });
  };
  trigger.addEventListener("click", (event) => {
    event.preventDefault();
    open();
  });
  trigger.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    open();
  });
  matchMedia("(width >= 64rem)").addEventListener("change", () => dialog?.close());
}

function makeDialog(trigger: HTMLElement, sidebar: HTMLElement, giveBack: () => void): HTMLDialogElement {
  const close = sidebar.querySelector<HTMLElement>(".sidebar-close")!.cloneNode(true) as HTMLElement;
  close.setAttribute("role", "button");
  const home = document.querySelector(".navbar .nav-home")?.cloneNode(true) ?? "";
  const links = list("mobile-nav-links", "mobile-nav-link", all(".navbar :is(.navbar-link, .topbar-cta-button)"));
  const tabs = list("mobile-nav-tabs", "mobile-nav-tabs-item", all(".nav-tabs :is(a.nav-tabs-item, a.menu-item)"));
  const bar = create("div", { class: "mobile-nav-bar" }, home, close);
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
  dialog.addEventListener("close", giveBack);
  document.body.append(dialog);
  return dialog;
}

/** Copies of links that have no room in the header; nothing at all where there are none. */
function list(className: string, itemClass: string, links: readonly HTMLElement[]): HTMLElement {
  const element = create("ul", { class: className });
  for (const link of links) {
    const copy = link.cloneNode(true) as HTMLElement;
    copy.className = itemClass;
    copy.removeAttribute("id");
    element.append(create("li", {}, copy));
  }
  element.hidden = links.length === 0;
  return element;
}
