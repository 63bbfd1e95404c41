import { decodePercent } from "../../lib/url/paths.js";
import { all, idIn, onClick, replaceAddress } from "../dom.js";

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
