import { shortHash } from "../lib/short-hash.js";
import type { SiteSettings } from "../site/config/index.js";
import type { PagePlan, Site } from "../site/site.js";
import type { PageThreadData } from "./page-thread-data.js";
import { planHashes } from "./shown-texts.js";

/** The settings that a page's body, its Markdown version and its feed may depend on; others are those of the frame. */
const bodySettings = [
  ...(["name", "description", "variables", "styling", "icons"] as const),
  ...(["api", "markdown", "contextual", "seo"] as const),
] satisfies readonly (keyof SiteSettings)[];

/** Properties whose reading is an error: the store would not notice that they change. */
function refusing(names: readonly string[]): object {
  const refuse = (name: string) => (): never => {
    throw new Error(`The body of a page reads "${name}", which is not noted.`);
  };
  return Object.create(null, Object.fromEntries(names.map((name) => [name, { get: refuse(name) }])));
}
const otherParts = [
  ...(["pages", "sections", "divisions", "globalLinks", "specRefs", "homePage", "staticFiles"] as const),
  ...(["styles", "scripts", "specs", "snippets", "leftOut", "audience", "classNames", "namesParts"] as const),
] satisfies readonly (keyof Site)[];
const otherSettings = [
  ...(["sourcePath", "locations", "theme", "colors", "logo", "favicon", "appearance", "fonts", "background"] as const),
  ...(["thumbnails", "navbar", "footer", "banner", "interaction", "feedback", "redirects", "metadata"] as const),
  ...(["notFound", "search", "variations", "integrations"] as const),
] satisfies readonly (keyof SiteSettings)[];
const otherFacts = [
  ...(["index", "sidebarTitle", "listed", "visible", "division", "breadcrumbs"] as const),
  ...(["previous", "next", "version", "inDefaultScope", "directory", "icon", "deprecated"] as const),
] satisfies readonly (keyof PagePlan)[];
const [siteWithout, settingsWithout, planWithout] = [
  refusing(otherParts),
  refusing(otherSettings),
  refusing(otherFacts),
];

/** The site as the stages of a page's body see it: only settings. */
export function bodySiteOf({ config }: Site): Site {
  const kept = Object.fromEntries(bodySettings.map((name) => [name, config[name]]));
  return Object.assign(Object.create(siteWithout), { config: Object.assign(Object.create(settingsWithout), kept) });
}

/** The plan of a page as the stages of its body see it: without its surroundings, which the frame shows. */
export function bodyPlanOf(plan: PagePlan): PagePlan {
  const { sourcePath, api, unavailableSpec, generated, urlPath, outputPath, frontmatter, title } = plan;
  const { description, marker, searchable, indexed, noindex, boost, contextual, language } = plan;
  const seen = { sourcePath, api, unavailableSpec, generated, urlPath, outputPath, frontmatter, title };
  return Object.assign(Object.create(planWithout), seen, {
    ...{ description, marker, searchable, indexed, noindex, boost, contextual, language },
  });
}

/** Everything in a page's plan that its body and its record for the search depend on. */
export function factsAnswer(site: Site, plan: PagePlan): string {
  const { division, breadcrumbs, listed } = plan;
  const sections = (site.divisions[division]?.sections ?? []).map((id) => {
    const { kind, label } = site.sections[id]!;
    return [kind, label];
  });
  return shortHash(JSON.stringify([bodyPlanOf(plan), breadcrumbs.map(({ label }) => label), listed, sections]));
}

/** What all bodies of a site depend on. */
export function settingsAnswer({ site, baseUrl, parser, assets }: PageThreadData): string {
  const { parts, componentParts, playground } = assets;
  return shortHash(
    JSON.stringify([bodySiteOf(site).config, baseUrl, parser, parts, componentParts, playground], withoutLocations),
  );
}

/** Where a setting was written matters only to the checks of settings. */
const withoutLocations = (name: string, value: unknown): unknown =>
  name === "location" && typeof value === "object" && value !== null && "sourcePath" in value ? undefined : value;

/** Hashes of what documents depend on, but files. */
export interface Worlds {
  /** Everything that a page thread is given, without the folders: nothing else but the site's files reaches a page. */
  readonly whole: string;
  /** The same for a page that shows no texts of pages but those around it. */
  of(plan: PagePlan): string;
}

export function worldsOf(data: PageThreadData): Worlds {
  const { site, assets, otherFiles, baseUrl, embedded, features, parser } = data;
  const { config, pages: _, ...plan } = site;
  const plain = (_: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);
  const settings = JSON.stringify([config, assets, baseUrl, embedded, features, parser], plain);
  // The plan has no maps, and most of the data: with a function for each value it would take ten times as long.
  const { withoutTexts, texts, textsOf } = planHashes(site);
  const common = shortHash(`${withoutTexts}\n${JSON.stringify([plan, otherFiles])}\n${settings}`);
  return {
    whole: shortHash(`${common} ${texts}`),
    of: ({ division }) => `${common} ${textsOf.get(division) ?? texts}`,
  };
}
