import type { Marks } from "../../bundle/search/engine/expand-term.js";
import type { Hit } from "../../bundle/search/engine/order-hits.js";
import { create, drawing, methodPill } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import { recallList, remember } from "../storage.js";
import { codeExcerpt, excerptOf, type Fragment, markMatches } from "./excerpt.js";
import type { NearPage } from "./near-pages.js";

/** A search result. A link, so that readers can open it in a new tab. */
export function hitOption(hit: Hit, marks: Marks, href: string, id: string): HTMLAnchorElement {
  const text = excerptOf(hit.text, marks);
  const isInCode = hit.code !== "" && !text.some(({ marked }) => marked);
  const code = isInCode ? codeExcerpt(hit.code, marks) : [];
  const excerpt =
    code.length > 0
      ? create("code", "search-excerpt", ...nodes(code))
      : create("span", "search-excerpt", ...nodes(text));
  const trail = hit.trail.flatMap((name, at) => [
    ...(at > 0 ? [create("span", { class: "search-trail-mark", "aria-hidden": "true" }, "›"), " "] : []),
    create("span", {}, name),
    " ",
  ]);
  const body = create(
    "span",
    "search-hit-body",
    ...(trail.length > 0 ? [create("span", "search-trail", ...trail)] : []),
    create("span", "search-title", ...methodOf(hit.marker), ...nodes(markMatches(hit.title, marks))),
    " ",
    ...(excerpt.textContent === "" ? [] : [excerpt]),
  );
  return option(
    "a",
    id,
    { href },
    drawing(hit.isPage ? outlines.page : outlines.section),
    body,
    drawing(outlines.enter),
  );
}

export const recentOption = (query: string, id: string): HTMLElement =>
  option("div", id, { "data-query": query }, drawing(outlines.recent), create("span", "search-hit-body", query));

/** A page that is offered before a query is typed. */
export const pageOption = ({ href, title }: NearPage, root: string, at: number): HTMLElement =>
  option(
    "a",
    `search-hit-${at}`,
    { href: root + href },
    drawing(outlines.page),
    create("span", "search-hit-body", title),
    drawing(outlines.enter),
  );

function option<Tag extends "a" | "div">(
  tag: Tag,
  id: string,
  attributes: Readonly<Record<string, string>>,
  ...children: Node[]
): HTMLElementTagNameMap[Tag] {
  const common = { class: "search-hit", role: "option", id, "aria-selected": "false", tabindex: "-1" };
  return create(tag, { ...common, ...attributes }, ...children);
}

/** The method of an endpoint, as in the sidebar. */
const methodOf = (marker: string): (Node | string)[] => (marker === "" ? [] : [methodPill(marker), " "]);

const nodes = (fragments: readonly Fragment[]): (Node | string)[] =>
  fragments.map(({ text, marked }) => (marked ? create("mark", {}, text) : text));

const maxRecent = 6;

/**
 * The reader's successful searches, latest first.
 *
 * @param root relative URL of the bundle's root. Each bundle has its own list, also among several on one disk.
 */
export function recentSearches(root: string) {
  const name = `searches ${new URL(root || ".", location.href).pathname}`;
  const all = (): string[] => recallList(name).slice(0, maxRecent);
  return {
    all,
    add(query: string): void {
      const others = all().filter((other) => other.toLowerCase() !== query.toLowerCase());
      remember(name, JSON.stringify([query, ...others].slice(0, maxRecent)));
    },
    clear: () => remember(name, "[]"),
  };
}
