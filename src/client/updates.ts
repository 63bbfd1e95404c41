import { all, idIn, onClick, replaceAddress } from "./dom.ts";

/** Tags of a changelog: updates that carry all chosen ones are shown; the choice stands in the address. */
export function wireUpdates(): void {
  const filters = all(".changelog-filter");
  if (filters.length === 0) return;
  const asked = new URLSearchParams(location.search).get("tags")?.split(",") ?? [];
  for (const filter of filters) press(filter, asked.includes(filter.dataset.tag!));
  apply(filters);
  onClick(".changelog-filter", (filter) => {
    press(filter, filter.getAttribute("aria-pressed") !== "true");
    const chosen = apply(filters);
    const parameters = new URLSearchParams(location.search);
    parameters.delete("tags");
    if (chosen.length > 0) parameters.set("tags", chosen.join(","));
    const query = parameters.toString();
    replaceAddress(location.pathname + (query && `?${query}`));
  });
}

const press = (filter: HTMLElement, pressed: boolean): void => filter.setAttribute("aria-pressed", String(pressed));

function apply(filters: readonly HTMLElement[]): string[] {
  const chosen = filters.flatMap((each) => (each.getAttribute("aria-pressed") === "true" ? each.dataset.tag! : []));
  for (const update of all(".update")) {
    const tags: unknown = JSON.parse(update.dataset.updateTags ?? "[]");
    update.hidden = !chosen.every((tag) => (tags as string[]).includes(tag));
    const entry = all<HTMLAnchorElement>(".toc-item > a").find((link) => idIn(link.hash) === update.id);
    if (entry) entry.parentElement!.hidden = update.hidden;
  }
  return chosen;
}
