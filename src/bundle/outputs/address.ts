import { type Diagnostic, locationOfSetting } from "../../lib/diagnostic/index.js";
import { encodePath, parseHttpUrl } from "../../lib/url/index.js";
import type { SiteSettings } from "../../site/config/index.js";
import { feedPathOf, markdownPathOf } from "../../site/links/index.js";
import type { PagePlan } from "../../site/site.js";

/**
 * The base URL of the site, without a trailing slash: `https://docs.acme.com/guide`. It is `baseUrl`, else
 * `seo.metatags.canonical`, else `fallback`; undefined if none is set.
 *
 * @throws {RangeError} if `baseUrl` or `fallback` is not an http(s) URL: that is the caller's mistake.
 */
export function resolveBaseUrl(
  config: SiteSettings,
  baseUrl?: string,
  fallback?: string,
): { readonly baseUrl?: string; readonly diagnostics: readonly Diagnostic[] } {
  if (baseUrl !== undefined) return { baseUrl: writtenBaseUrl(baseUrl), diagnostics: [] };
  const fallbackUrl = fallback === undefined ? undefined : writtenBaseUrl(fallback);
  const canonical = config.seo.metatags["canonical"];
  if (canonical === undefined) return { baseUrl: fallbackUrl, diagnostics: [] };
  const base = parseBaseUrl(canonical);
  if (base !== undefined) return { baseUrl: base, diagnostics: [] };
  const instead = fallbackUrl === undefined ? "canonical links and the sitemap are left out" : `${fallbackUrl} is used`;
  const what = `seo.metatags.canonical is "${canonical}", which is not a URL that starts with https://, so ${instead}.`;
  const whole = `https://${canonical.replace(/^\/+/, "")}`;
  const example = /^[\w-]+\.[\w.-]+/.test(canonical) && parseBaseUrl(whole) ? whole : "https://docs.example.com/guide";
  const fix = `write it as "${example}", or export with --base-url`;
  const location = locationOfSetting(config, "seo.metatags.canonical");
  return {
    baseUrl: fallbackUrl,
    diagnostics: [{ code: "BASE_URL_INVALID", severity: "warning", what, location, fix }],
  };
}

function writtenBaseUrl(text: string): string {
  const base = parseBaseUrl(text);
  if (base === undefined)
    throw new RangeError(`The base URL is "${text}", but it must look like https://docs.example.com/guide`);
  return base;
}

/** An http(s) URL without query, fragment and trailing slash. */
export function parseBaseUrl(text: string): string | undefined {
  const url = parseHttpUrl(text.trim());
  return url === undefined ? undefined : url.origin + withoutSlash(url.pathname);
}

/** Whether a URL can be opened from anywhere, judging by its host: not a local name or a private IP address. */
export function isPublicAddress(url: string | undefined): url is string {
  const host = url === undefined ? undefined : parseHttpUrl(url)?.hostname.replace(/\.$/, "");
  if (host === undefined || !host.includes(".") || host.startsWith("[")) return false;
  if (/\.(?:local|localhost|internal|intranet|lan|home|corp|test|invalid)$/.test(host)) return false;
  return !/^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host);
}

/** Without trailing slashes. A loop, because a regular expression takes quadratic time on a path of slashes. */
function withoutSlash(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  return end === path.length ? path : path.slice(0, end);
}

/** Absolute URL of a page, without extension and `/index`. */
export function pageUrl(baseUrl: string, urlPath: string, trailingSlash: boolean): string {
  const path = withoutSlash(urlPath);
  if (path === "") return trailingSlash || !/^https?:\/\/[^/]+\//.test(baseUrl) ? `${baseUrl}/` : baseUrl;
  return `${baseUrl}${encodePath(path)}${trailingSlash ? "/" : ""}`;
}

/** Path of a page's Markdown version: `guides/install.md`. */
export const markdownPath = (page: PagePlan): string => markdownPathOf(page.outputPath);

/** Path of a page's feed: `changelog/rss.xml`. */
export const feedPath = (page: PagePlan): string => feedPathOf(page.outputPath);
