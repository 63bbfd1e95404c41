import { search } from "../../bundle/search/engine/engine.js";
import { distanceOf } from "../../bundle/search/engine/expand-term.js";
import type { IndexFiles } from "../../bundle/search/engine/index-files.js";
import type { Hit } from "../../bundle/search/engine/order-hits.js";
import { cutWords } from "../../bundle/search/words.js";
import { decodePercent } from "../../lib/url/paths.js";
import { all, create } from "../dom.js";
import type { SearchHost } from "./search-host.js";
import { createOpener } from "./search-host.js";

export interface NearPage {
  readonly href: string;
  readonly title: string;
}

const maxShown = 3;
/** A page that shares only its folder with a long URL exceeds it; a page that shares no word does not. */
const minSimilarity = 0.1;

/** Lists the pages with URLs most similar to the requested one, if there are any. */
export async function showNearPages(host: SearchHost, list: HTMLElement): Promise<void> {
  const path = requestedPath(new URL(host.root || ".", location.href).pathname);
  if (path === "") return;
  const scopes = JSON.parse(list.dataset.scopes ?? "[]") as [folder: string, indexes: string[]][];
  const scope = scopes.filter(([folder]) => `${path}/`.startsWith(folder)).sort(([a], [b]) => b.length - a.length)[0];
  const open = createOpener(host);
  const names = scope?.[1] ?? host.indexes;
  const results = await searchPages(await Promise.all(names.map(open)), path);
  // The 404 page has the sidebar of the default language and version.
  const neighbours = names[0] === host.indexes[0] ? sidebarPages(host.root) : [];
  const pages = mostSimilar(path, [...results, ...neighbours]);
  const items = pages.map(({ href, title }) =>
    create(
      "li",
      {},
      create(
        "a",
        { href: host.root + href },
        create("span", "not-found-near-title", title),
        " ",
        create("span", "not-found-near-address", `/${pagePath(href)}`),
      ),
    ),
  );
  if (items.length === 0) return;
  list.append(create("h2", {}, list.ariaLabel ?? ""), create("ul", {}, ...items));
  list.hidden = false;
}

/** The requested path, relative to the root of the bundle, without extension. */
const requestedPath = (root: string): string =>
  location.pathname.startsWith(root) ? pagePath(location.pathname.slice(root.length)) : "";

const pagePath = (href: string): string =>
  decodePercent(href)
    .replace(/(?:\.html?|\.mdx?)?\/*$/i, "")
    .replace(/(?:^|\/)index$/, "");

/** The index has the words of titles and of the last part of each path, so a search finds pages that have moved. */
async function searchPages(indexes: readonly IndexFiles[], requested: string): Promise<NearPage[]> {
  const name = requested.slice(requested.lastIndexOf("/") + 1);
  // The trailing space marks the last word as complete.
  const queries = [...new Set([name, requested])].map((path) => `${splitWords(path).join(" ")} `);
  const answers = await Promise.all(queries.map((query) => search(indexes, query)));
  return answers.flatMap(({ hits }) => hits.map(pageOfHit));
}

/** A misspelt page may share only its folder with its neighbours in the sidebar. */
const sidebarPages = (root: string): NearPage[] =>
  all(".sidebar-content .sidebar-link[href]").flatMap((link) => {
    const href = link.getAttribute("href")!;
    // A tag may follow the title.
    const title = link.querySelector(":scope > span:last-child")?.firstChild?.textContent ?? "";
    return href.startsWith(root) && !/^[a-z]+:|^#/i.test(href) && title !== ""
      ? [{ href: href.slice(root.length), title }]
      : [];
  });

const maxNext = 6;

/** The pages that follow in the sidebar, for readers who have not typed yet. */
export function nextPages(root: string): NearPage[] {
  const pages = sidebarPages(root);
  const here = location.href.replace(/[?#].*$/, "");
  const at = pages.findIndex(({ href }) => new URL(root + href, location.href).href === here);
  return [...pages.slice(at + 1), ...pages.slice(0, Math.max(0, at))].slice(0, maxNext);
}

function mostSimilar(requested: string, candidates: readonly NearPage[]): NearPage[] {
  const pages = new Map<string, NearPage>();
  for (const page of candidates) if (!pages.has(page.href)) pages.set(page.href, page);
  return [...pages.values()]
    .map((page) => ({ page, similarity: similarityOf(requested, page) }))
    .filter(({ similarity }) => similarity >= minSimilarity)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, maxShown)
    .map(({ page }) => page);
}

const pageOfHit = ({ href, title, trail, isPage }: Hit): NearPage => ({
  href: href.replace(/#.*$/, ""),
  title: isPage ? title : trail.at(-1)!,
});

/** Up to 1, if the page has all words of the requested path. Words of the last part count twice. */
function similarityOf(requested: string, { href, title }: NearPage): number {
  const path = pagePath(href);
  const words = new Set(splitWords(`${path} ${title}`));
  let [matching, total] = [0, 0];
  const add = (requestedWords: readonly string[], weight: number): void => {
    for (const word of requestedWords) {
      total += weight;
      matching += weight * (words.has(word) ? 1 : [...words].some((other) => isNear(word, other)) ? 0.7 : 0);
    }
  };
  const at = requested.lastIndexOf("/") + 1;
  add(splitWords(requested.slice(0, at)), 1);
  add(splitWords(requested.slice(at)), 2);
  // Prefer pages with fewer other words.
  return total === 0 ? 0 : matching / total - 0.01 * splitWords(path).length;
}

const isNear = (word: string, other: string): boolean => {
  const allowed = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  return distanceOf(word, other, allowed, false) <= allowed;
};

const maxWords = 12;

/** The words of a text, without single letters. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  cutWords(text, (word, parts) => parts === 0 && !/^[a-z]$/.test(word) && words.push(word));
  return words.slice(0, maxWords);
}
