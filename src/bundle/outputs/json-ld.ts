import { oneLine } from "../../lib/plain-text.js";
import type { PagePlan, Site } from "../../site/site.js";
import { pageUrl } from "./address.js";
import { jsonForScript } from "./markdown/markdown.js";

/** Values of a page's head that the structured data repeats. */
export interface PageFacts {
  /** Absolute. */
  readonly url: string;
  readonly title: string;
  readonly description?: string;
  readonly keywords?: string;
  readonly image?: string;
}

type Thing = Readonly<Record<string, unknown>>;

/**
 * Creates the schema.org graph of a page as a `<script>` data block: publisher, site, page, breadcrumbs and article. Nodes
 * refer to each other by `@id`; unknown values are left out.
 */
export function createJsonLd(site: Site, baseUrl: string): (plan: PagePlan, facts: PageFacts) => string {
  const { config } = site;
  const { trailingSlash } = config.seo;
  const home = pageUrl(baseUrl, "/", trailingSlash);
  const organization = organizationOf(site, home);
  const publisher = { "@id": organization["@id"] };
  const websiteId = `${home}#website`;
  const website = {
    "@type": "WebSite",
    "@id": websiteId,
    url: home,
    name: config.name,
    description: config.description,
    publisher,
  };
  const constant = `${jsonForScript(organization)},${jsonForScript(website)}`;

  return (plan, { url, title, keywords, image, ...facts }) => {
    const description = facts.description === "" ? undefined : facts.description;
    const inLanguage = plan.language;
    const crumbs = breadcrumbs(plan, url, title, (urlPath) => pageUrl(baseUrl, urlPath, trailingSlash));
    const modified = isoDate(plan.frontmatter["lastUpdatedDate"]);
    const page: Thing = {
      "@type": "WebPage",
      "@id": `${url}#webpage`,
      url,
      name: title,
      description,
      inLanguage,
      dateModified: modified,
      isPartOf: { "@id": websiteId },
      breadcrumb: crumbs === undefined ? undefined : { "@id": crumbs["@id"] },
    };
    const article: Thing = {
      "@type": isReference(plan) ? "APIReference" : "TechArticle",
      "@id": `${url}#article`,
      url,
      headline: title,
      description,
      keywords,
      image,
      inLanguage,
      dateModified: modified,
      mainEntityOfPage: { "@id": `${url}#webpage` },
      isPartOf: { "@id": websiteId },
      publisher,
    };
    const things = [page, crumbs, article].filter((thing) => thing !== undefined).map(jsonForScript);
    const graph = [constant, ...things].join(",");
    return `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[${graph}]}</script>`;
  };
}

function organizationOf({ config }: Site, home: string): Thing {
  const organization = config.seo.organization ?? {};
  const text = (key: string) =>
    typeof organization[key] === "string" && organization[key] !== "" ? organization[key] : undefined;
  const logo = text("logo") ?? config.logo?.light;
  const sameAs = Array.isArray(organization["sameAs"])
    ? organization["sameAs"].filter((each) => typeof each === "string")
    : [];
  return {
    "@type": "Organization",
    "@id": text("id") ?? `${home}#organization`,
    name: text("name") ?? config.name,
    legalName: text("legalName"),
    url: text("url") ?? home,
    logo: absolute(logo, home),
    sameAs: sameAs.length > 0 ? sameAs : undefined,
  };
}

/** Makes a site path absolute; undefined for inline SVG and data URLs. */
export function absolute(path: string | undefined, base: string): string | undefined {
  if (path === undefined || path === "") return undefined;
  if (/^https?:\/\//i.test(path)) return URL.canParse(path) ? path : undefined;
  if (/^(?:\/\/|[A-Za-z][\w+.-]*:|[<#])/.test(path)) return undefined;
  const root = base.endsWith("/") ? base : `${base}/`;
  return URL.parse(path.replace(/^\/+/, ""), root)?.href;
}

/** From the outermost group to the page. */
function breadcrumbs(
  plan: PagePlan,
  url: string,
  title: string,
  urlOf: (urlPath: string) => string,
): Thing | undefined {
  const trail: Thing[] = plan.breadcrumbs
    .filter(({ label }) => oneLine(label) !== "")
    .map(({ label, urlPath }) => ({ name: oneLine(label), item: urlPath === undefined ? undefined : urlOf(urlPath) }));
  // Every list item but the last must have a URL.
  const items = [...trail.filter(({ item }) => item !== undefined && item !== url), { name: title, item: url }];
  if (items.length < 2) return undefined;
  const itemListElement = items.map((item, i) => ({ "@type": "ListItem", position: i + 1, ...item }));
  return { "@type": "BreadcrumbList", "@id": `${url}#breadcrumb`, itemListElement };
}

const isReference = ({ api, frontmatter }: PagePlan): boolean =>
  api !== undefined ||
  ["openapi", "openapi-schema", "asyncapi", "api", "graphql", "arazzo", "sdk"].some(
    (key) => frontmatter[key] !== undefined,
  );

/** `2026-03-01` or a full ISO time; undefined for anything else. */
export function isoDate(value: unknown): string | undefined {
  if (
    typeof value !== "string" ||
    !/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/.test(value)
  )
    return undefined;
  return Number.isNaN(Date.parse(value)) ? undefined : value;
}
