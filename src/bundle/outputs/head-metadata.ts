import { escapeHtml } from "../../lib/html/escape.js";
import { oneLine, plainText } from "../../lib/plain-text.js";
import { parseHttpUrl } from "../../lib/url/index.js";
import type { SiteSettings } from "../../site/config/index.js";
import { relativeHref } from "../../site/links/index.js";
import type { FrontmatterValue, PagePlan, Site } from "../../site/site.js";
import { feedPath, markdownPath, pageUrl, parseBaseUrl } from "./address.js";
import { absolute, createJsonLd } from "./json-ld.js";
import { forbidsIndexing, isPublished } from "./published.js";

/** What the head of a page depends on besides its plan. */
export interface HeadPage {
  /** The page has updates (`hasFeed` of rss.ts): with a base URL there is a feed, and the head points to it. */
  readonly hasFeed: boolean;
}

/**
 * Creates the metadata of a page's head, one element per line: everything but charset, viewport, title and icons, which
 * the document adds. Front matter overrides `seo.paths` (the longest matching path), which overrides `seo.metatags`,
 * which overrides generated values.
 *
 * Without a base URL there is no canonical link, `og:url`, hreflang or structured data. Links to the Markdown version and
 * to llms.txt are relative, so they always work.
 */
export function createHeadMetadata(
  site: Site,
  { baseUrl }: { readonly baseUrl?: string },
): (plan: PagePlan, page?: HeadPage) => string {
  const { config } = site;
  const { trailingSlash } = config.seo;
  const folders = config.seo.paths
    .map(({ path, metatags }) => ({ path: path.replace(/^\/+|\/+$/g, ""), tags: tagsOf(metatags) }))
    .sort((a, b) => b.path.length - a.path.length);
  const siteTags = new Map([...generatedTags(config), ...tagsOf(config.seo.metatags)]);
  const alternatesOf = createAlternates(site);
  const jsonLd = baseUrl === undefined ? undefined : createJsonLd(site, baseUrl);
  const hasSitemap = baseUrl !== undefined || site.staticFiles.includes("sitemap.xml");

  return (plan, { hasFeed } = { hasFeed: false }) => {
    const tags = new Map(siteTags);
    let base = baseUrl;
    for (const folder of foldersOf(plan, folders)) {
      for (const [name, value] of folder.tags) tags.set(name, value);
      base = parseBaseUrl(folder.tags.get("canonical") ?? "") ?? base;
    }
    put(tags, "description", plainText(plan.description ?? ""));
    if (plan.noindex) tags.set("robots", "noindex");
    for (const name in plan.frontmatter) {
      if (isMetatag(name)) put(tags, name.toLowerCase(), metatagText(plan.frontmatter[name]));
    }

    const title = oneLine(plan.title);
    const description = tags.get("description") ?? plainText(config.description ?? "");
    const canonical = canonicalOf(plan, base, trailingSlash);
    const image = imageOf(tags.get("og:image"), baseUrl);
    const twitterImage = imageOf(tags.get("twitter:image"), baseUrl) ?? image;
    for (const name of ["canonical", "og:image", "twitter:image"]) tags.delete(name);
    put(tags, "description", description);
    put(tags, "og:title", tags.get("og:title") ?? title);
    put(tags, "og:description", tags.get("og:description") ?? description);
    put(tags, "og:url", tags.get("og:url") ?? canonical);
    put(tags, "og:image", image);
    put(tags, "twitter:title", tags.get("twitter:title") ?? tags.get("og:title"));
    put(tags, "twitter:description", tags.get("twitter:description") ?? tags.get("og:description"));
    put(tags, "twitter:image", twitterImage);
    put(
      tags,
      "twitter:card",
      tags.get("twitter:card") ?? (twitterImage === undefined ? "summary" : "summary_large_image"),
    );

    let html = "";
    for (const [name, value] of tags) html += metaTag(name, value);
    if (canonical !== undefined) html += `<link rel="canonical" href="${escapeHtml(canonical)}">\n`;
    html += alternate("text/markdown", "Markdown", relativeHref(plan.outputPath, markdownPath(plan)));
    html += alternate("text/plain", "llms.txt", relativeHref(plan.outputPath, "llms.txt"));
    if (hasFeed && baseUrl !== undefined)
      html += alternate("application/rss+xml", title, relativeHref(plan.outputPath, feedPath(plan)));
    if (hasSitemap)
      html += `<link rel="sitemap" type="application/xml" href="${relativeHref(plan.outputPath, "sitemap.xml")}">\n`;
    if (baseUrl !== undefined)
      for (const { language, page } of alternatesOf(plan))
        html += `<link rel="alternate" hreflang="${escapeHtml(language)}" href="${escapeHtml(pageUrl(baseUrl, page.urlPath, trailingSlash))}">\n`;
    if (jsonLd !== undefined && canonical !== undefined && !forbidsIndexing(tags.get("robots"))) {
      const facts = { url: canonical, title, description, keywords: tags.get("keywords"), image };
      html += `${jsonLd(plan, facts)}\n`;
    }
    return html;
  };
}

type Tags = ReadonlyMap<string, string>;

/** Names in lower case, without empty ones and those that the document sets. */
function tagsOf(metatags: Readonly<Record<string, string>>): Tags {
  const tags = new Map<string, string>();
  for (const [name, value] of Object.entries(metatags)) {
    const lower = name.trim().toLowerCase();
    if (/^[a-z][\w:.-]*$/.test(lower) && lower !== "charset" && lower !== "viewport") put(tags, lower, value);
  }
  return tags;
}

function put(tags: Map<string, string>, name: string, value: string | undefined): void {
  if (value !== undefined && oneLine(value) !== "") tags.set(name, oneLine(value));
}

/** The folders that contain the page, outermost first, so that a longer path overrides a shorter one. */
const foldersOf = (plan: PagePlan, folders: readonly { readonly path: string; readonly tags: Tags }[]) =>
  folders.length === 0
    ? folders
    : folders.filter(({ path }) => `${plan.urlPath}/`.startsWith(path === "" ? "/" : `/${path}/`)).reverse();

/** Front matter keys that are metadata of the head. */
const isMetatag = (name: string) => /^(?:(?:og|twitter|article|fb):[\w:.-]+|robots|keywords)$/i.test(name);

function metatagText(value: FrontmatterValue | undefined): string | undefined {
  if (Array.isArray(value)) return metatagText(value.filter((each) => typeof each === "string").join(", "));
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return String(value);
}

function canonicalOf(plan: PagePlan, base: string | undefined, trailingSlash: boolean): string | undefined {
  const written = plan.frontmatter["canonical"];
  const canonical = typeof written === "string" ? parseHttpUrl(written.trim()) : undefined;
  if (canonical !== undefined) return canonical.href;
  return base === undefined ? undefined : pageUrl(base, plan.urlPath, trailingSlash);
}

/** The absolute URL of an image; without a base URL only if it is written as one. */
const imageOf = (image: string | undefined, baseUrl: string | undefined): string | undefined =>
  image === undefined ? undefined : absolute(image, baseUrl ?? "");

const generatedTags = (config: SiteSettings): Tags =>
  tagsOf({
    generator: "Offprint",
    "application-name": config.name,
    "apple-mobile-web-app-title": config.name,
    "msapplication-TileColor": config.colors.primary,
    "og:type": "website",
    "og:site_name": config.name,
  });

/** `property` for the vocabularies that are RDFa, `name` for the rest. */
function metaTag(name: string, value: string): string {
  const key = /^(?:og|article|book|profile|music|video|fb|al):/.test(name) ? "property" : "name";
  return `<meta ${key}="${name}" content="${escapeHtml(value)}">\n`;
}

const alternate = (type: string, title: string, href: string): string =>
  `<link rel="alternate" type="${type}" title="${escapeHtml(title)}" href="${escapeHtml(href)}">\n`;

/** The same page in another language. */
interface Alternate {
  /** Language code, or `x-default`. */
  readonly language: string;
  readonly page: PagePlan;
}

/**
 * Finds a page's translations: pages of the same version whose paths differ only in the leading language code
 * (`/es/guides/install`, `/guides/install`). A page of a language without versions belongs to the default version of the
 * other languages, whose name may be part of the path (`/fr/v2/guides/install`). Every page of a set lists the whole set,
 * including itself.
 */
function createAlternates(site: Site): (plan: PagePlan) => readonly Alternate[] {
  const languages = new Set(site.sections.filter(({ kind }) => kind === "language").map(({ label }) => label));
  if (languages.size < 2) return () => [];
  const defaultVersion = defaultVersionOf(site);
  const main = site.sections.find((section) => section.kind === "language" && section.default)?.label;

  const sets = new Map<string, Map<string, PagePlan>>();
  for (const page of site.pages) {
    if (page.language === undefined || !isCode(page.language) || !isPublished(page)) continue;
    const key = translationKey(page, languages, defaultVersion);
    const set = sets.get(key) ?? new Map<string, PagePlan>();
    if (!set.has(page.language)) set.set(page.language, page);
    sets.set(key, set);
  }
  return (plan) => {
    const set = plan.language === undefined ? undefined : sets.get(translationKey(plan, languages, defaultVersion));
    if (set === undefined || set.size < 2 || set.get(plan.language!)?.outputPath !== plan.outputPath) return [];
    const alternates = [...set].map(([language, page]) => ({ language, page }));
    const fallback = main === undefined ? undefined : set.get(main);
    return fallback === undefined ? alternates : [...alternates, { language: "x-default", page: fallback }];
  };
}

const isCode = (language: string) => /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{2,8})*$/.test(language);

/** The default version of the first language that has versions. */
function defaultVersionOf({ sections }: Site): string {
  const languages = sections.filter(({ kind }) => kind === "language");
  const children = languages.flatMap((language) => language.children.map((id) => sections[id]!));
  return children.find((child) => child.kind === "version" && child.default)?.label ?? "";
}

/** Equal for all translations of a page. */
function translationKey(
  { urlPath, version }: PagePlan,
  languages: ReadonlySet<string>,
  defaultVersion: string,
): string {
  const segments = urlPath.slice(1).split("/");
  const rest = segments.filter((segment, i) => i > 1 || !(languages.has(segment) || segment === version));
  return `${version ?? defaultVersion}\n${rest.join("/")}`;
}
