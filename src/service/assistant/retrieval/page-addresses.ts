import type { IndexFiles } from "../../../bundle/search/index.js";
import { decodePercent } from "../../../lib/url/index.js";
import type { Passage } from "../answer.js";
import type { SiteFacts } from "./site-facts.js";

export interface PageAddresses {
  /** The addresses of a section; undefined if its href leads out of the site. @param href relative to the bundle's root. */
  of(href: string): Pick<Passage, "path" | "anchor" | "url"> | undefined;
  /** Where a page is in the indexes. */
  placeOf(path: string): { readonly index: number; readonly page: number } | undefined;
  /** The path of a page as `of` gives it: of "guides/install.md" or "/guides/install/" it is "/guides/install". */
  normal(path: string): string;
  /** The file of a page. */
  markdownOf(path: string, files: { has(path: string): boolean }): string | undefined;
}

export async function createPageAddresses(
  indexes: readonly IndexFiles[],
  { baseUrl, trailingSlash }: SiteFacts,
): Promise<PageAddresses> {
  const places = new Map<string, { index: number; page: number }>();
  for (const [index, files] of indexes.entries())
    for (let page = 0; page + 1 < files.firstOf.length; page++) {
      const path = normal(decodePercent((await files.page(page))[0]));
      if (!places.has(path)) places.set(path, { index, page });
    }
  const find: PageAddresses["of"] = (href) => {
    const [file = "", anchor = ""] = href.split("#");
    const encoded = withoutIndex(file);
    if (!isInside(encoded)) return undefined;
    const page = encoded === "" ? `${baseUrl}/` : `${baseUrl}/${encoded}${trailingSlash ? "/" : ""}`;
    if (!URL.canParse(page)) return undefined;
    const hash = anchor === "" ? "" : `#${anchor}`;
    return { path: `/${decodePercent(encoded)}`, anchor: decodePercent(anchor), url: page + hash };
  };
  /** Of each section that was found once. */
  const known = new Map<string, ReturnType<PageAddresses["of"]>>();
  return {
    of(href) {
      if (!known.has(href)) known.set(href, find(href));
      return known.get(href);
    },
    placeOf: (path) => places.get(normal(path)),
    normal,
    markdownOf(path, files) {
      const name = normal(path).slice(1);
      return [name === "" ? "index.md" : `${name}.md`, `${name}/index.md`].find((file) => files.has(file));
    },
  };
}

const withoutIndex = (file: string): string => file.replace(/\.html$/, "").replace(/(?:^|\/)index$/, "");

function normal(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  let start = 0;
  while (start < end && path[start] === "/") start++;
  return `/${withoutIndex(path.slice(start, end).replace(/\.md$/, ""))}`;
}

/** Only a path below the root: no scheme, no host, no way up, nothing that an address does not have as it is. */
const isInside = (encoded: string): boolean =>
  encoded.length <= 2000 &&
  /^(?:[\w\-.~!$&'()*+,;=@%][\w\-.~!$&'()*+,;=:@%/]*)?$/.test(encoded) &&
  !encoded.split("/").some((name) => (name === "" ? encoded !== "" : /^(?:\.|%2e){1,2}$/i.test(name)));
