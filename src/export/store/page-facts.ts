import { shortHash } from "../../lib/short-hash.js";
import type { SiteSettings } from "../../site/config/index.js";
import type { PagePlan, SidebarEntry, Site } from "../../site/site.js";
import type { PageThreadData } from "../pages/thread-messages.js";

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
interface Worlds {
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

/** What a plan says about its page in words. They change more often than the rest of the navigation. */
const texts = ["title", "sidebarTitle", "description"] as const satisfies readonly (keyof PagePlan)[];

const textsOf = (page: PagePlan) => texts.map((name) => page[name]);

/** The plans of pages without their texts. */
const withoutTexts = (pages: readonly PagePlan[]): readonly object[] =>
  pages.map(({ title: _, sidebarTitle: __, description: ___, ...plan }) => plan);

/**
 * The pages whose texts the documents of a division's pages may show: those of its sidebar, those that it is the division
 * of, and those that they lead to.
 */
function pagesByDivision({ pages, divisions }: Site): ReadonlyMap<number, ReadonlySet<number>> {
  const found = new Map<number, Set<number>>();
  const pagesOf = (division: number): Set<number> => {
    const known = found.get(division) ?? new Set();
    found.set(division, known);
    return known;
  };
  const addEntries = (entries: readonly SidebarEntry[], to: Set<number>): void => {
    for (const entry of entries) {
      if (entry.type === "page") to.add(entry.page);
      if (entry.type !== "group") continue;
      if (entry.root !== undefined) to.add(entry.root);
      addEntries(entry.entries, to);
    }
  };
  for (const { id, order, entries } of divisions) {
    const own = pagesOf(id);
    for (const page of order) own.add(page);
    addEntries(entries, own);
  }
  for (const { index, division, previous, next, directory } of pages) {
    const own = pagesOf(division).add(index);
    if (previous !== undefined) own.add(previous);
    if (next !== undefined) own.add(next);
    for (const page of directory.pages) own.add(page);
  }
  return found;
}

/** Hashes of the plans of a site's pages. */
export interface PlanHashes {
  readonly withoutTexts: string;
  /** Of the texts of all pages. */
  readonly texts: string;
  /** Of the texts that the documents of a division's pages may show. */
  readonly textsOf: ReadonlyMap<number, string>;
}
const known = new WeakMap<Site["pages"], PlanHashes>();
export const knowPlanHashes = (site: Site, hashes: PlanHashes): unknown => known.set(site.pages, hashes);

export function planHashes(site: Site): PlanHashes {
  const hashes = known.get(site.pages) ?? hashPlans(site);
  knowPlanHashes(site, hashes);
  return hashes;
}

function hashPlans(site: Site): PlanHashes {
  const ofDivision = new Map<number, string>();
  for (const [division, pages] of pagesByDivision(site)) {
    const shown = [...pages].sort((a, b) => a - b).map((page) => textsOf(site.pages[page]!));
    ofDivision.set(division, shortHash(JSON.stringify(shown)));
  }
  return {
    withoutTexts: shortHash(JSON.stringify(withoutTexts(site.pages))),
    texts: shortHash(JSON.stringify(site.pages.map(textsOf))),
    textsOf: ofDivision,
  };
}

/** Notices whether documents show texts of other pages than those. */
export interface ShownTexts {
  /** The site for the stages that make documents. */
  readonly site: Site;
  /** Call it before each document. */
  begin(plan: PagePlan): void;
  /** A question of the read log, if it asks for a text. */
  noteQuestion(question: string): void;
  /** Whether this document, or one before, shows other texts: a later one may use what was made for it. */
  showsOthers(): boolean;
}

export function noteShownTexts(site: Site): ShownTexts {
  const allowed = pagesByDivision(site);
  let pages: ReadonlySet<number> | undefined;
  let showsOthers = false;
  const note = (index: number): void => {
    if (!pages?.has(index)) showsOthers = true;
  };
  const noted = Object.create(
    null,
    Object.fromEntries(
      texts.map((name) => [
        name,
        {
          enumerable: true,
          get(this: PagePlan) {
            note(this.index);
            return site.pages[this.index]![name];
          },
        },
      ]),
    ),
  ) as object;
  const plans = withoutTexts(site.pages).map((plan) => Object.assign(Object.create(noted), plan) as PagePlan);
  return {
    site: { ...site, pages: plans },
    begin: ({ division }) => {
      pages = allowed.get(division);
    },
    noteQuestion(question) {
      if (question.startsWith("title ")) showsOthers = true;
    },
    showsOthers: () => showsOthers,
  };
}
