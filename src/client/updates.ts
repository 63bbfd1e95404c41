import { all, idIn, onClick, replaceAddress } from "./dom.js";

/** Tags of a changelog: updates that carry all chosen ones are shown; the choice stands in the address. */
export function wireUpdates(): void {
  const filters = all(".changelog-filter");
  if (filters.length === 0) return;
  const asked = askedTags();
  for (const filter of filters) press(filter, asked.includes(filter.dataset.tag!));
  apply(filters);
  onClick(".changelog-filter", (filter) => {
    press(filter, filter.getAttribute("aria-pressed") !== "true");
    writeAddress(apply(filters), "");
  });
}

/** A comma in a tag is written encoded, so it is told from one between tags. */
function askedTags(): string[] {
  const written = /[?&]tags=([^&]*)/.exec(location.search)?.[1] ?? "";
  return written.split(",").map((tag) => idIn(`#${tag.replaceAll("+", " ")}`));
}

/** Shows all updates again: the address names one that the choice hides. */
export function showUpdate(): void {
  const filters = all(".changelog-filter");
  for (const filter of filters) press(filter, false);
  apply(filters);
  writeAddress([], location.hash);
}

const press = (filter: HTMLElement, pressed: boolean): void => filter.setAttribute("aria-pressed", String(pressed));

/** Gives the chosen tags. */
function apply(filters: readonly HTMLElement[]): string[] {
  const chosen = filters.flatMap((each) => (each.getAttribute("aria-pressed") === "true" ? each.dataset.tag! : []));
  const entries = all<HTMLAnchorElement>(".toc-item > a");
  for (const update of all(".update")) {
    const tags: unknown = JSON.parse(update.dataset.updateTags ?? "[]");
    update.hidden = !chosen.every((tag) => (tags as string[]).includes(tag));
    const entry = entries.find((link) => idIn(link.hash) === update.id);
    if (entry) entry.parentElement!.hidden = update.hidden;
  }
  return chosen;
}

function writeAddress(tags: readonly string[], hash: string): void {
  const parameters = new URLSearchParams(location.search);
  parameters.delete("tags");
  const chosen = tags.length > 0 ? `tags=${tags.map(encodeURIComponent).join(",")}` : "";
  const query = [parameters.toString(), chosen].filter(Boolean).join("&");
  replaceAddress(location.pathname + (query && `?${query}`) + hash);
}
