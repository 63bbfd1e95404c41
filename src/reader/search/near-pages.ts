import { search } from "../../bundle/search/engine/engine.js";
import { createIndexOpener, type IndexFiles } from "../../bundle/search/engine/index-files.js";
import { distanceOf } from "../../bundle/search/engine/near-words.js";
import type { Hit } from "../../bundle/search/engine/order-hits.js";
import { cutWords } from "../../bundle/search/words.js";
import { decodePercent } from "../../lib/url/paths.js";
import { all, create } from "../dom.js";
import type { SearchHost } from "./search-host.js";
import { createDataLoader } from "./search-host.js";

interface NearPage {
  readonly href: string;
  readonly title: string;
}

const maxShown = 3;
/** A page that shares only its folder with a long address is shown, a page that shares no word is not. */
const leastLikeness = 0.1;

/** Lists the pages whose addresses are most like the one that was asked for, if there are any. */
export async function showNearPages(host: SearchHost, list: HTMLElement): Promise<void> {
  const address = addressBelow(new URL(host.root || ".", location.href).pathname);
  if (address === "") return;
  const scopes = JSON.parse(list.dataset.scopes ?? "[]") as [folder: string, indexes: string[]][];
  const own = scopes.filter(([folder]) => `${address}/`.startsWith(folder)).sort(([a], [b]) => b.length - a.length)[0];
  const open = createIndexOpener(createDataLoader(host.load));
  const names = own?.[1] ?? host.indexes;
  const found = await foundPages(await Promise.all(names.map(open)), address);
  // The sidebar is that of the default language and version.
  const beside = names[0] === host.indexes[0] ? sidebarPages(host.root) : [];
  const pages = nearestTo(address, [...found, ...beside]);
  const items = pages.map(({ href, title }) =>
    create(
      "li",
      {},
      create(
        "a",
        { href: host.root + href },
        create("span", { class: "not-found-near-title" }, title),
        " ",
        create("span", { class: "not-found-near-address" }, `/${pathOf(href)}`),
      ),
    ),
  );
  if (items.length === 0) return;
  list.append(create("h2", {}, list.ariaLabel ?? ""), create("ul", {}, ...items));
  list.hidden = false;
}

/** The path that was asked for, from the root of the bundle, without extension. */
const addressBelow = (root: string): string =>
  location.pathname.startsWith(root) ? pathOf(location.pathname.slice(root.length)) : "";

const pathOf = (href: string): string =>
  decodePercent(href)
    .replace(/(?:\.html?|\.mdx?)?\/*$/i, "")
    .replace(/(?:^|\/)index$/, "");

/** The index has the words of titles and of the last part of each address, so a search finds pages that have moved. */
async function foundPages(indexes: readonly IndexFiles[], address: string): Promise<NearPage[]> {
  const name = address.slice(address.lastIndexOf("/") + 1);
  // A blank at the end: the last word is complete.
  const queries = [...new Set([name, address])].map((path) => `${wordsOf(path).join(" ")} `);
  const answers = await Promise.all(queries.map((query) => search(indexes, query)));
  return answers.flatMap(({ hits }) => hits.map(pageOf));
}

/** The neighbours of a page whose name is misspelt may share only their folder with it. */
const sidebarPages = (root: string): NearPage[] =>
  all("#navigation-items .sidebar-link[href]").flatMap((link) => {
    const href = link.getAttribute("href")!;
    // A tag may follow the title.
    const title = link.querySelector(":scope > span:last-child")?.firstChild?.textContent ?? "";
    return href.startsWith(root) && !/^[a-z]+:|^#/i.test(href) && title !== ""
      ? [{ href: href.slice(root.length), title }]
      : [];
  });

function nearestTo(address: string, candidates: readonly NearPage[]): NearPage[] {
  const pages = new Map<string, NearPage>();
  for (const page of candidates) if (!pages.has(page.href)) pages.set(page.href, page);
  return [...pages.values()]
    .map((page) => ({ page, likeness: likenessOf(address, page) }))
    .filter(({ likeness }) => likeness >= leastLikeness)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, maxShown)
    .map(({ page }) => page);
}

const pageOf = ({ href, title, trail, isPage }: Hit): NearPage => ({
  href: href.replace(/#.*$/, ""),
  title: isPage ? title : trail.at(-1)!,
});

/** 1 if the page has all words of the address in its own; those of the last part count twice. */
function likenessOf(address: string, { href, title }: NearPage): number {
  const path = pathOf(href);
  const words = new Set(wordsOf(`${path} ${title}`));
  let [found, all] = [0, 0];
  const add = (wanted: readonly string[], weight: number): void => {
    for (const word of wanted) {
      all += weight;
      found += weight * (words.has(word) ? 1 : [...words].some((other) => isNear(word, other)) ? 0.7 : 0);
    }
  };
  const at = address.lastIndexOf("/") + 1;
  add(wordsOf(address.slice(0, at)), 1);
  add(wordsOf(address.slice(at)), 2);
  // Of two pages with these words, the one with fewer others.
  return all === 0 ? 0 : found / all - 0.01 * wordsOf(path).length;
}

const isNear = (word: string, other: string): boolean => {
  const allowed = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  return distanceOf(word, other, allowed, false) <= allowed;
};

const mostWords = 12;

/** Without single letters, which say nothing. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  cutWords(text, (word, parts) => parts === 0 && !/^[a-z]$/.test(word) && words.push(word));
  return words.slice(0, mostWords);
}
