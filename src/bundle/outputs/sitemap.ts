import { escapeXml } from "../../lib/html/escape.js";
import type { Site } from "../../site/site.js";
import { pageUrl } from "./address.js";
import { isoDate } from "./json-ld.js";
import { forbidsIndexing, isPublished } from "./published.js";

/** The limit of the protocol for one file. */
const maxUrlsInSitemap = 50_000;

/**
 * The sitemap of all pages that search engines may list, by their canonical URLs; above 50,000 an index of several. None
 * for a site that forbids indexing.
 */
export function sitemapFiles(
  site: Site,
  baseUrl: string,
  maxUrls = maxUrlsInSitemap,
): readonly { readonly path: string; readonly text: string }[] {
  const { metatags, trailingSlash } = site.config.seo;
  if (forbidsIndexing(metatags["robots"])) return [];
  const entries: { url: string; modified?: string }[] = [];
  for (const page of site.pages) {
    const url = pageUrl(baseUrl, page.urlPath, trailingSlash);
    const { canonical, lastUpdatedDate } = page.frontmatter;
    if (isPublished(page) && (typeof canonical !== "string" || canonical.trim() === url))
      entries.push({ url, modified: isoDate(lastUpdatedDate) });
  }
  if (entries.length <= maxUrls) return [{ path: "sitemap.xml", text: urlset(entries) }];

  const parts = Array.from({ length: Math.ceil(entries.length / maxUrls) }, (_, i) => ({
    path: `sitemap-${i + 1}.xml`,
    text: urlset(entries.slice(i * maxUrls, (i + 1) * maxUrls)),
  }));
  const index = parts.map(({ path }) => `<sitemap><loc>${escapeXml(`${baseUrl}/${path}`)}</loc></sitemap>\n`).join("");
  return [{ path: "sitemap.xml", text: `${xmlHead}<sitemapindex ${namespace}>\n${index}</sitemapindex>\n` }, ...parts];
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

function urlset(entries: readonly { readonly url: string; readonly modified?: string }[]): string {
  let urls = "";
  for (const { url, modified } of entries) {
    const date = modified === undefined ? "" : `<lastmod>${modified}</lastmod>`;
    urls += `<url><loc>${escapeXml(url)}</loc>${date}</url>\n`;
  }
  return `${xmlHead}<urlset ${namespace}>\n${urls}</urlset>\n`;
}
