import { createIdFinder } from "../../lib/url/ids.js";
import { all, closestTo, fragmentTarget, idIn, replaceAddress } from "../dom.js";
import { showPanelOf, showViewOf } from "./tabs.js";
import { showAllUpdates } from "./updates.js";

/** Opens whatever hides the element that the URL names. An accordion that is opened puts its own id into the URL. */
export function wireFragments(): void {
  addEventListener("hashchange", () => reveal(true));
  // A link to the current fragment does not fire `hashchange`.
  document.addEventListener("click", (event) => {
    const link = closestTo<HTMLAnchorElement>(event, "a");
    if (link?.hash && link.hash === location.hash && link.pathname === location.pathname) reveal(true);
  });
  reveal(false);
  document.addEventListener(
    "toggle",
    (event) => {
      const details = event.target as HTMLDetailsElement;
      if (!details.classList.contains("accordion") || details.id === "") return;
      const isNamed = location.hash === `#${encodeURIComponent(details.id)}`;
      if (details.open && fragmentTarget()?.closest("details") !== details)
        replaceAddress(`#${encodeURIComponent(details.id)}`);
      else if (!details.open && isNamed) replaceAddress(location.pathname + location.search);
    },
    true,
  );
}

/** @param isRequested scrolls to the element even if nothing had to be opened. */
function reveal(isRequested: boolean): void {
  const target = fragmentTarget();
  if (!target) return void followForeignAnchor();
  let mustScroll = isRequested;
  for (let around: HTMLElement | null = target; around; around = around.parentElement) {
    if (around instanceof HTMLDetailsElement && !around.open && !around.closest(".site-header, .site-sidebar")) {
      around.open = true;
      mustScroll = true;
    }
    if (around.matches(".tab-panel") && !around.hasAttribute("data-active")) {
      showPanelOf(around);
      mustScroll = true;
    }
    if (around.matches(".update[hidden]")) {
      showAllUpdates();
      mustScroll = true;
    }
    if (around.hasAttribute("data-view") && showViewOf(around)) mustScroll = true;
  }
  if (mustScroll) target.scrollIntoView();
}

/** Jumps to the element for an anchor as another documentation system writes it, typed or bookmarked. */
function followForeignAnchor(): void {
  const fragment = idIn(location.hash);
  if (fragment === "" || fragment === "top") return;
  const id = createIdFinder(all("#content-area [id]").map((element) => element.id))(fragment);
  // This also fires `hashchange` and makes the element the `:target`.
  if (id !== undefined) location.replace(`#${encodeURIComponent(id)}`);
}
