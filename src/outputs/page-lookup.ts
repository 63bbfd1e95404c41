import type { PagePlan, Site } from "../discover/site.js";
import { withoutSlash } from "./address.js";

/** What an address inside the site leads to. */
export type SiteTarget =
  | { readonly kind: "page"; readonly page: PagePlan }
  /** A file that is copied to its own path. */
  | { readonly kind: "file"; readonly outputPath: string };

export interface PageLookup {
  /** Page whose address is exactly this. */
  pageAt(urlPath: string): PagePlan | undefined;
  /** What a decoded path from the root leads to: `/guides/install`, `/guides/install.mdx`, `/guides/`, `/images/a.png`. */
  find(path: string): SiteTarget | undefined;
}

/** Built once; a look-up costs the same in a site of 50 and of 50,000 pages. */
export function createPageLookup(site: Site): PageLookup {
  const pages = new Map<string, PagePlan>();
  for (const page of site.pages) if (!pages.has(page.urlPath)) pages.set(page.urlPath, page);
  const files = new Set(site.staticFiles);
  const home = site.homePage === undefined ? undefined : site.pages[site.homePage];

  const find = (path: string): SiteTarget | undefined => {
    const exact = pages.get(path);
    if (exact !== undefined) return { kind: "page", page: exact };
    if (files.has(path.slice(1))) return { kind: "file", outputPath: path.slice(1) };
    const plain = withoutSlash(path).replace(/\.(?:mdx?|html)$/, "");
    const urlPath = plain.endsWith("/index") ? plain.slice(0, -"/index".length) : plain;
    const page = pages.get(plain) ?? pages.get(urlPath === "" ? "/" : urlPath) ?? (urlPath === "" ? home : undefined);
    return page === undefined ? undefined : { kind: "page", page };
  };
  return { pageAt: (urlPath) => pages.get(urlPath), find };
}

/** Whether a page may be named in what search engines and agents read: sitemap, llms.txt, feeds. */
export function isPublished(page: PagePlan): boolean {
  const { groups, url, robots } = page.frontmatter;
  return page.indexed && !page.noindex && groups === undefined && url === undefined && !forbidsIndexing(robots);
}

/** Whether a robots directive keeps a page out of search engines. */
export const forbidsIndexing = (robots: unknown): boolean =>
  typeof robots === "string" && /\b(?:noindex|none)\b/i.test(robots);
