import { create } from "../dom.js";
import type { FindSections } from "../search/search-host.js";
import type { AssistantHost } from "./assistant-host.js";
import { card } from "./turn-view.js";

declare global {
  interface Window {
    /** Set by the script of the search. */
    offprintFind?: FindSections;
  }
}

const mostShown = 5;

/** The sections that the search of the bundle finds for a question; undefined if there are none. */
export async function searchResults(
  { root, search }: AssistantHost,
  question: string,
): Promise<HTMLElement | undefined> {
  try {
    const host = await search?.();
    const hits = host ? await window.offprintFind!(host, question) : [];
    if (hits.length === 0) return undefined;
    const cards = hits
      .slice(0, mostShown)
      .map(({ title, trail, href }, at) =>
        create("li", {}, card(String(at + 1), title, trail.join(" › "), root + href)),
      );
    return create("ol", { class: "assistant-cards" }, ...cards);
  } catch {
    return undefined;
  }
}
