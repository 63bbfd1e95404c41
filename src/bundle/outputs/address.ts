import { type Diagnostic, locationOfSetting } from "../../lib/diagnostic/index.js";
import { encodePath, parseHttpUrl } from "../../lib/url/index.js";
import type { SiteSettings } from "../../site/config/index.js";
import { feedPathOf, markdownPathOf } from "../../site/links/index.js";
import type { PagePlan } from "../../site/site.js";

/**
 * Where the site will stand, without a slash at the end: `https://docs.acme.com/guide`. Written by the caller, else
 * `seo.metatags.canonical`, else the caller's `fallback`; undefined where none says, and then no absolute address is made up.
 *
 * @throws {RangeError} if `baseUrl` or `fallback` is no http(s) address: that is the caller's mistake.
 */
export function resolveBaseUrl(
  config: SiteSettings,
  baseUrl?: string,
  fallback?: string,
): { readonly baseUrl?: string; readonly diagnostics: readonly Diagnostic[] } {
  if (baseUrl !== undefined) return { baseUrl: writtenBaseUrl(baseUrl), diagnostics: [] };
  const other = fallback === undefined ? undefined : writtenBaseUrl(fallback);
  const canonical = config.seo.metatags["canonical"];
  if (canonical === undefined) return { baseUrl: other, diagnostics: [] };
  const base = parseBaseUrl(canonical);
  if (base !== undefined) return { baseUrl: base, diagnostics: [] };
  const instead = other === undefined ? "canonical links and the sitemap are left out" : `${other} is taken`;
  const what = `seo.metatags.canonical is "${canonical}", which is no address with https:// in front, so ${instead}.`;
  const fix = `write it as "https://docs.example.com/guide", or export with --base-url`;
  const location = locationOfSetting(config, "seo.metatags.canonical");
  return { baseUrl: other, diagnostics: [{ code: "BASE_URL_INVALID", severity: "warning", what, location, fix }] };
}

function writtenBaseUrl(text: string): string {
  const base = parseBaseUrl(text);
  if (base === undefined)
    throw new RangeError(`The base URL is "${text}"; it must look like https://docs.example.com/guide`);
  return base;
}

/** An http(s) address without query, fragment and closing slash. */
export function parseBaseUrl(text: string): string | undefined {
  const url = parseHttpUrl(text.trim());
  return url === undefined ? undefined : url.origin + withoutSlash(url.pathname);
}

/** Whether an address can be opened from anywhere, as far as its host tells: no local name, no private number. */
export function isPublicAddress(url: string | undefined): url is string {
  const host = url === undefined ? undefined : parseHttpUrl(url)?.hostname.replace(/\.$/, "");
  if (host === undefined || !host.includes(".") || host.startsWith("[")) return false;
  if (/\.(?:local|localhost|internal|intranet|lan|home|corp|test|invalid)$/.test(host)) return false;
  return !/^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host);
}

/** Without slashes at the end. A loop, since a pattern for this takes quadratic time on a path of slashes. */
export function withoutSlash(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  return end === path.length ? path : path.slice(0, end);
}

/** Absolute address of a page: extensionless, `/index` gone. */
export function pageUrl(baseUrl: string, urlPath: string, trailingSlash: boolean): string {
  const path = withoutSlash(urlPath);
  if (path === "") return trailingSlash || !/^https?:\/\/[^/]+\//.test(baseUrl) ? `${baseUrl}/` : baseUrl;
  return `${baseUrl}${encodePath(path)}${trailingSlash ? "/" : ""}`;
}

/** Where a page's Markdown version stands: `guides/install.md`. */
export const markdownPath = (page: PagePlan): string => markdownPathOf(page.outputPath);

/** Where a page's feed stands: `changelog/rss.xml`. */
export const feedPath = (page: PagePlan): string => feedPathOf(page.outputPath);
