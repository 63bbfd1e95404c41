import { encodePath } from "../../lib/url/index.js";
import { serverCardPath } from "../../mcp/discovery.js";
import type { Site } from "../../site/site.js";

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
