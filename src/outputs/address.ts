import type { SiteConfig } from "../config/site-config.js";
import { type Diagnostic, placeOfSetting } from "../diagnostic/index.js";
import type { PagePlan } from "../discover/site.js";

/**
 * Where the site will stand, without a slash at the end: `https://docs.acme.com/guide`. Written by the caller, else
 * `seo.metatags.canonical`; undefined where neither says, and then no absolute address is made up.
 *
 * @throws {RangeError} if `baseUrl` is no http(s) address: that is the caller's mistake.
 */
export function resolveBaseUrl(
  config: SiteConfig,
  baseUrl?: string,
): { readonly baseUrl?: string; readonly diagnostics: readonly Diagnostic[] } {
  if (baseUrl !== undefined) {
    const base = parseBaseUrl(baseUrl);
    if (base === undefined)
      throw new RangeError(`The base URL is "${baseUrl}"; it must look like https://docs.example.com/guide`);
    return { baseUrl: base, diagnostics: [] };
  }
  const canonical = config.seo.metatags["canonical"];
  if (canonical === undefined) return { diagnostics: [] };
  const base = parseBaseUrl(canonical);
  if (base !== undefined) return { baseUrl: base, diagnostics: [] };
  const what = `seo.metatags.canonical is "${canonical}", which is no address with https:// in front, so canonical links and the sitemap are left out.`;
  const fix = `write it as "https://docs.example.com/guide", or export with --base-url`;
  const place = placeOfSetting(config, "seo.metatags.canonical");
  return { diagnostics: [{ code: "BASE_URL_INVALID", severity: "warning", what, place, fix }] };
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

export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "https:" || url?.protocol === "http:" ? url : undefined;
}

/** Without slashes at the end. A loop, since a pattern for this takes quadratic time on a path of slashes. */
export function withoutSlash(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  return end === path.length ? path : path.slice(0, end);
}

/** Percent-encodes a path as written in a file system; slashes stay. */
export function encodePath(path: string): string {
  if (/^[\w./-]*$/.test(path)) return path;
  return encodeURI(path.toWellFormed()).replace(/[?#'()[\]]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Absolute address of a page: extensionless, `/index` gone. */
export function pageUrl(baseUrl: string, urlPath: string, trailingSlash: boolean): string {
  const path = withoutSlash(urlPath);
  if (path === "") return trailingSlash || !/^https?:\/\/[^/]+\//.test(baseUrl) ? `${baseUrl}/` : baseUrl;
  return `${baseUrl}${encodePath(path)}${trailingSlash ? "/" : ""}`;
}

/** Where a page's Markdown twin stands: `guides/install.md`. */
export const twinPath = (page: PagePlan): string => page.outputPath.replace(/\.html$/, ".md");

/** Where a page's feed stands: `changelog/rss.xml`. */
export const feedPath = (page: PagePlan): string =>
  page.outputPath === "index.html" ? "rss.xml" : page.outputPath.replace(/\.html$/, "/rss.xml");

/** `../` for every folder that `outputPath` stands in: what leads from a file back to the root of the bundle. */
export function upToRoot(outputPath: string): string {
  let up = "";
  for (let at = outputPath.indexOf("/"); at >= 0; at = outputPath.indexOf("/", at + 1)) up += "../";
  return up;
}

/** The link from one file of the bundle to another, percent-encoded. */
export function relativeLink(from: string, to: string): string {
  let common = 0;
  for (let at = to.indexOf("/"); at >= 0; at = to.indexOf("/", at + 1)) {
    if (from.slice(0, at + 1) !== to.slice(0, at + 1)) break;
    common = at + 1;
  }
  const link = upToRoot(from.slice(common)) + encodePath(to.slice(common));
  return /^[^/]*:/.test(link) ? `./${link}` : link;
}
