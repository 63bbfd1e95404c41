import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { escapeXml } from "../../lib/html/escape.js";
import { lazy } from "../../lib/memo.js";
import { encodePath } from "../../lib/url/index.js";
import { discoveryFiles, serverCardPath } from "../../mcp/discovery.js";
import type { Addresses } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { FilePart } from "../archive/index.js";
import { pageUrl } from "./address.js";
import { isoDate } from "./json-ld.js";
import { llmsText } from "./llms.js";
import {
  createMarkdownChunks,
  type FullTextOptions,
  fullTextElsewhere,
  llmsFullText,
  maxCopiedBytes,
} from "./llms-full.js";
import { forbidsIndexing, isPublished } from "./published.js";
import { type RedirectTarget, redirectFiles } from "./redirect-files.js";

export interface SiteOutputOptions {
  readonly addresses: Addresses;
  readonly baseUrl?: string;
  /** See `AssetManifest`. */
  readonly headScript: string;
  /** Output path of the speculation rules that hosts send with pages. */
  readonly speculationRules?: string;
  /** Output path of the font that hosts announce with pages. */
  readonly mainFont?: string;
  /** Address of the site's MCP server. */
  readonly mcp?: string | undefined;
  /** What readers can download of specifications. */
  readonly specFiles?: readonly StreamedFile[];
  /** Reads a Markdown version that `createPageOutputs` made; undefined if there is none. */
  readonly readMarkdown: (outputPath: string) => string | undefined | Promise<string | undefined>;
}
export interface StreamedFile {
  readonly path: string;
  /** The text, or its parts in order: for `llms-full.txt` one for each page, made on demand. */
  readonly text: string | ((options?: FullTextOptions) => AsyncIterable<string | FilePart>);
  /** A large text is not copied: another one is at this path if the file `of` is longer than `bytes`. */
  readonly copy?: { readonly of: string; readonly bytes: number; readonly instead: string };
  /** `text` depends on the plan of the site and the base URL alone. It is made when it is read. */
  readonly isOfPlan?: true;
}

const fullText = "llms-full.txt";

/** Creates the files of the whole site, after all pages. No path is that of a page or file of the site. */
export function siteOutputs(
  site: Site,
  { addresses, baseUrl, headScript, speculationRules, mainFont, mcp, specFiles = [], readMarkdown }: SiteOutputOptions,
): {
  readonly files: readonly StreamedFile[];
  readonly redirectTargets: readonly RedirectTarget[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const { rules, diagnostics: ruleDiagnostics } = addresses.redirects().check();
  const redirects = redirectFiles(site, rules, baseUrl, headScript);
  const sitemap = baseUrl === undefined || site.staticFiles.includes("sitemap.xml") ? [] : sitemapFiles(site, baseUrl);
  const hasSitemap = sitemap.length > 0 || site.staticFiles.includes("sitemap.xml");
  const sitemapUrl = baseUrl !== undefined && hasSitemap ? `${baseUrl}/sitemap.xml` : undefined;

  const chunkOf = createMarkdownChunks(site, readMarkdown);
  const files: StreamedFile[] = redirects.stubs.map(({ path, text }) => ({ path, text }));
  files.push(...sitemap, { path: "robots.txt", text: robotsText(site, sitemapUrl) });
  for (const folder of ["", ".well-known/"]) {
    const index = `${folder}llms.txt`;
    const full = `${folder}${fullText}`;
    const text = lazy(() => llmsText(site, { baseUrl, outputPath: index }));
    files.push({
      path: index,
      isOfPlan: true,
      get text() {
        return text();
      },
    });
    const options = { baseUrl, outputPath: full };
    files.push({
      path: full,
      text: (more) => llmsFullText(site, { ...options, chunkOf, more }),
      ...(folder !== "" && {
        copy: { of: fullText, bytes: maxCopiedBytes, instead: fullTextElsewhere(site, fullText, options) },
      }),
    });
  }
  files.push(...specFiles);
  if (redirects.hostRules !== "") files.push({ path: "_redirects", text: redirects.hostRules });
  files.push({
    path: "_headers",
    text: hostHeaders(basePathOf(baseUrl), { speculationRules, mainFont, hasMcp: mcp !== undefined }),
  });

  const siteFiles = new Set(site.staticFiles);
  // A copy must not differ from the file that the site brings.
  const isOwn = (path: string) => siteFiles.has(path) || siteFiles.has(path.replace(/^\.well-known\//, ""));
  const diagnostics = [...ruleDiagnostics, ...redirects.diagnostics];
  const discovery =
    mcp === undefined || siteFiles.has(".well-known/mcp")
      ? []
      : [...discoveryFiles(site.config.name, mcp)]
          .filter(([path]) => !siteFiles.has(path))
          .map(([path, content]) => ({ path, text: `${JSON.stringify(content, null, 2)}\n` }));
  return {
    files: [...files.filter(({ path }) => !isOwn(path)), ...discovery],
    redirectTargets: redirects.targets,
    diagnostics,
  };
}

/** The limit of the protocol for one file. */
const maxUrlsInSitemap = 50_000;

/** The sitemap of pages that search engines may list; above 50,000 URLs, several with an index. */
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

/**
 * Response headers for hosts that read a `_headers` file. Files under `_offprint/` have a hash in their name, so caches
 * may keep them forever. Scripts are not restricted: a site may add its own.
 *
 * @param basePath precedes the paths of the site on its host: "" or `/guide`.
 * @param assets `hasMcp`: an MCP server of the site is known. `speculationRules`: output path. `Server-Timing` says to the scripts of the page that the host sends the rules.
 * `mainFont`: output path. A font that arrives after the first layout has the page laid out again.
 */
export function hostHeaders(
  basePath: string,
  assets: { readonly speculationRules?: string; readonly mainFont?: string; readonly hasMcp?: boolean } = {},
): string {
  const { speculationRules, mainFont, hasMcp } = assets;
  const card = hasMcp ? `, <${basePath}/${serverCardPath}>; rel="mcp-server-card"` : "";
  const preload =
    mainFont === undefined
      ? ""
      : `\n  Link: <${basePath}/${encodePath(mainFont)}>; rel=preload; as=font; type="font/woff2"; crossorigin`;
  const pageHeaders = `
  Speculation-Rules: "${basePath}/${speculationRules}"
  Server-Timing: speculation-rules`;
  const rulesHeaders = `
/${speculationRules}
  Content-Type: application/speculationrules+json
`;
  return `/*
  X-Content-Type-Options: nosniff
  Referrer-Policy: strict-origin-when-cross-origin
  Content-Security-Policy: frame-ancestors 'self'; base-uri 'self'
  Link: <${basePath}/llms.txt>; rel="llms-txt", <${basePath}/llms-full.txt>; rel="llms-full-txt"${card}${preload}
  X-Llms-Txt: ${basePath}/llms.txt${speculationRules === undefined ? "" : pageHeaders}

/_offprint/*
  Cache-Control: public, max-age=31536000, immutable
  X-Robots-Tag: noindex

/*.md
  Content-Type: text/markdown; charset=utf-8
  X-Robots-Tag: noindex
${speculationRules === undefined ? "" : rulesHeaders}`;
}

/**
 * The text of robots.txt. It has a `Content-Signal` (what the content may be used for) only if the site sets
 * `seo.metatags.content-signal`: "search=yes, ai-train=no". `sitemapUrl` is absolute, undefined if there is none.
 */
export function robotsText(site: Site, sitemapUrl: string | undefined): string {
  const signal = Object.entries(site.config.seo.metatags).find(
    ([name]) => name.toLowerCase() === "content-signal",
  )?.[1];
  const lines = ["User-agent: *"];
  if (signal !== undefined && /^[a-z-]+=(?:yes|no)(?:, *[a-z-]+=(?:yes|no))*$/.test(signal.trim()))
    lines.push(`Content-Signal: ${signal.trim()}`);
  lines.push("Allow: /");
  if (sitemapUrl !== undefined) lines.push("", `Sitemap: ${sitemapUrl}`);
  return `${lines.join("\n")}\n`;
}

/** The content of the 404 page. */
export interface NotFoundPage {
  readonly title: string;
  /** Inline MDX from docs.json, or a default text. */
  readonly description: string;
  /**
   * Precedes every site path in the links of this page: a host shows it for URLs of any depth, so they cannot be
   * relative. Ends with a slash.
   */
  readonly root: string;
}

/**
 * There is always a 404 page: `errors.404.redirect` would silently send a reader of a mistyped URL to the home page, and
 * tell search engines that the URL exists.
 */
export function notFoundPage(site: Site, baseUrl: string | undefined): NotFoundPage {
  const { title, description } = site.config.notFound;
  return {
    title: title ?? "Page not found",
    description: description ?? "There is no page at this address. It may have moved, or the address may be mistyped.",
    root: `${basePathOf(baseUrl)}/`,
  };
}

/** The path of the base URL without a trailing slash: "" or `/guide`. */
export const basePathOf = (baseUrl: string | undefined): string =>
  baseUrl === undefined ? "" : new URL(baseUrl).pathname.replace(/\/$/, "");
