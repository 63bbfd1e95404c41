import { createIdFinder } from "../../lib/url/ids.js";
import { decodePercent } from "../../lib/url/paths.js";
import { all, closestTo, fragmentTarget, idIn, onClick, replaceAddress } from "../dom.js";
import { showPanelOf, showViewOf } from "./tabs.js";

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
  const id = createIdFinder(all(".content-area [id]").map((element) => element.id))(fragment);
  // This also fires `hashchange` and makes the element the `:target`.
  if (id !== undefined) location.replace(`#${encodeURIComponent(id)}`);
}

/** Tags of a changelog: shows only updates with all chosen tags. The URL holds the choice. */
export function wireUpdates(): void {
  const filters = all(".changelog-filter");
  if (filters.length === 0) return;
  const chosen = tagsInUrl();
  for (const filter of filters) press(filter, chosen.includes(filter.dataset.tag!));
  apply(filters);
  onClick(".changelog-filter", (filter) => {
    press(filter, filter.getAttribute("aria-pressed") !== "true");
    writeTagsToUrl(apply(filters), "");
  });
}

/** Tags are separated by commas; commas within a tag are encoded. */
function tagsInUrl(): string[] {
  const written = /[?&]tags=([^&]*)/.exec(location.search)?.[1] ?? "";
  return written.split(",").map((tag) => decodePercent(tag.replaceAll("+", " ")));
}

/** Shows all updates again, since the URL names a hidden one. */
export function showAllUpdates(): void {
  const filters = all(".changelog-filter");
  for (const filter of filters) press(filter, false);
  apply(filters);
  writeTagsToUrl([], location.hash);
}

const press = (filter: HTMLElement, pressed: boolean): void => filter.setAttribute("aria-pressed", String(pressed));

/** Shows the updates with all chosen tags, and returns the tags. */
function apply(filters: readonly HTMLElement[]): string[] {
  const chosen = filters.flatMap((filter) =>
    filter.getAttribute("aria-pressed") === "true" ? filter.dataset.tag! : [],
  );
  const entries = all<HTMLAnchorElement>(".toc-item > a");
  for (const update of all(".update")) {
    const tags: unknown = JSON.parse(update.dataset.updateTags ?? "[]");
    update.hidden = !chosen.every((tag) => (tags as string[]).includes(tag));
    const entry = entries.find((link) => idIn(link.hash) === update.id);
    if (entry) entry.parentElement!.hidden = update.hidden;
  }
  return chosen;
}

function writeTagsToUrl(tags: readonly string[], hash: string): void {
  const parameters = new URLSearchParams(location.search);
  parameters.delete("tags");
  const chosen = tags.length > 0 ? `tags=${tags.map(encodeURIComponent).join(",")}` : "";
  const query = [parameters.toString(), chosen].filter(Boolean).join("&");
  replaceAddress(location.pathname + (query && `?${query}`) + hash);
}
