import { createIdFinder } from "../../lib/url/id-finder.js";
import { all, closestTo, fragmentTarget, idIn, replaceAddress } from "../dom.js";
import { showPanelOf } from "./tabs.js";
import { showUpdate } from "./updates.js";
import { showViewOf } from "./views.js";

/** Opens what hides the element that the address names; an opened accordion puts its own name into the address. */
export function wireFragments(): void {
  addEventListener("hashchange", () => reveal(true));
  // A link to the current fragment fires no `hashchange`.
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
      const named = location.hash === `#${encodeURIComponent(details.id)}`;
      if (details.open && fragmentTarget()?.closest("details") !== details)
        replaceAddress(`#${encodeURIComponent(details.id)}`);
      else if (!details.open && named) replaceAddress(location.pathname + location.search);
    },
    true,
  );
}

/** @param always scrolls to the element even if nothing had to be opened. */
function reveal(always: boolean): void {
  const target = fragmentTarget();
  if (!target) return void goToMeant();
  let changed = always;
  for (let around: HTMLElement | null = target; around; around = around.parentElement) {
    if (around instanceof HTMLDetailsElement && !around.open && !around.closest(".site-header, .site-sidebar")) {
      around.open = true;
      changed = true;
    }
    if (around.matches(".tab-panel") && !around.hasAttribute("data-active")) {
      showPanelOf(around);
      changed = true;
    }
    if (around.matches(".update[hidden]")) {
      showUpdate();
      changed = true;
    }
    if (around.hasAttribute("data-view") && showViewOf(around)) changed = true;
  }
  if (changed) target.scrollIntoView();
}

/** Follows an anchor of another system, typed or bookmarked, to the element that it means. */
function goToMeant(): void {
  const fragment = idIn(location.hash);
  if (fragment === "" || fragment === "top") return;
  const id = createIdFinder(all("#content-area [id]").map((element) => element.id))(fragment);
  // This also fires `hashchange`, and marks the element as the target.
  if (id !== undefined) location.replace(`#${encodeURIComponent(id)}`);
}
