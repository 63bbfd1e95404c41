import { fragmentTarget, replaceAddress } from "./dom.js";
import { showPanelOf } from "./tabs.js";
import { showUpdate } from "./updates.js";
import { showViewOf } from "./views.js";

/** What the address names is shown even where it stands in something closed; opening an accordion names it there. */
export function wireFragments(): void {
  addEventListener("hashchange", () => reveal(true));
  // Following a link to where the address points already does not change it.
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a");
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

function reveal(always: boolean): void {
  const target = fragmentTarget();
  if (!target) return;
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
