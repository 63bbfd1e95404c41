import { shortHash } from "../../lib/short-hash.js";
import type { SiteSettings } from "../../site/config/index.js";
import type { PagePlan, SidebarEntry, Site } from "../../site/site.js";
import type { PageThreadData } from "../pages/thread-messages.js";

/** The settings that a page's body, its Markdown version and its feed may depend on; others are those of the frame. */
const bodySettings = [
  ...(["name", "description", "variables", "styling", "icons"] as const),
  ...(["api", "markdown", "contextual", "seo"] as const),
] satisfies readonly (keyof SiteSettings)[];

/** What the body may know of its page; the rest is about its surroundings, which the frame shows. */
const bodyFacts = [
  ...(["sourcePath", "api", "unavailableSpec", "generated", "urlPath", "outputPath", "frontmatter", "title"] as const),
  ...(["description", "marker", "searchable", "indexed", "noindex", "boost", "contextual", "language"] as const),
] satisfies readonly (keyof PagePlan)[];

/** Only some properties of a value: to read another is an error, since the store would not notice that it changes. */
function only<Value extends object>(value: Value, names: readonly (keyof Value & string)[]): Value {
  const visible = Object.fromEntries(names.map((name) => [name, value[name]]));
  return new Proxy(visible, {
    get(target, name) {
      if (typeof name === "symbol" || name === "toJSON" || Object.hasOwn(target, name))
        return Reflect.get(target, name);
      throw new Error(`The body of a page reads "${name}", which is not noted.`);
    },
  }) as Value;
}

/** The site as the stages of a page's body see it: only settings. */
export const bodySiteOf = ({ config }: Site): Site => only({ config: only(config, bodySettings) } as Site, ["config"]);

/** The plan of a page as the stages of its body see it. */
export const bodyPlanOf = (plan: PagePlan): PagePlan => only(plan, bodyFacts);

/** Hash of everything in a page's plan that its body and its search record depend on. */
export function factsHash(site: Site, plan: PagePlan): string {
  const { division, breadcrumbs, listed } = plan;
  const sections = (site.divisions[division]?.sections ?? []).map((id) => {
    const { kind, label } = site.sections[id]!;
    return [kind, label];
  });
  return shortHash(JSON.stringify([bodyPlanOf(plan), breadcrumbs.map(({ label }) => label), listed, sections]));
}

/** Hash of what all bodies of a site depend on. */
export function settingsHash({ site, baseUrl, parser, assets }: PageThreadData): string {
  const { parts, componentParts, playground } = assets;
  return shortHash(
    JSON.stringify([bodySiteOf(site).config, baseUrl, parser, parts, componentParts, playground], withoutLocations),
  );
}

/** Where a setting was written matters only to the checks of settings. */
const withoutLocations = (name: string, value: unknown): unknown =>
  name === "location" && typeof value === "object" && value !== null && "sourcePath" in value ? undefined : value;

/** Hashes of all that pages depend on but the site's files. */
export interface SiteHashes {
  /** Of what all bodies depend on. */
  readonly settings: string;
  /** Of everything that a page thread is given, without the folders: nothing else reaches a page. */
  readonly whole: string;
  /** The same without titles and descriptions of pages. */
  readonly withoutTexts: string;
  /** The same for a page that shows texts of no pages but those around it. */
  of(plan: PagePlan): string;
}

export function siteHashes(data: PageThreadData): SiteHashes {
  const { site, assets, otherFiles, baseUrl, embedded, features, parser } = data;
  const { config, pages: _, ...plan } = site;
  const plain = (_: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);
  const settings = JSON.stringify([config, assets, baseUrl, embedded, features, parser], plain);
  // The plan has no maps, and most of the data: with a function for each value it would take ten times as long.
  const { withoutTexts, texts, textsOf } = planHashes(site);
  const common = shortHash(`${withoutTexts}\n${JSON.stringify([plan, otherFiles])}\n${settings}`);
  return {
    settings: settingsHash(data),
    whole: shortHash(`${common} ${texts}`),
    withoutTexts: common,
    of: ({ division }) => `${common} ${textsOf.get(division) ?? texts}`,
  };
}

/** What a plan says about its page in words. They change more often than the rest of the navigation. */
const textNames = ["title", "sidebarTitle", "description"] as const satisfies readonly (keyof PagePlan)[];

/** Undefined is null, as in JSON. Empty for what the pages share. */
export const textsOfPage = (page: PagePlan | undefined): (string | null)[] =>
  page ? textNames.map((name) => page[name] ?? null) : [];

const plansWithoutTexts = (pages: readonly PagePlan[]): readonly object[] =>
  pages.map(({ title: _, sidebarTitle: __, description: ___, ...plan }) => plan);

/**
 * The pages whose texts the documents of a division's pages may show: those of its sidebar, those that it is the division
 * of, and those that they lead to.
 */
function pagesByDivision({ pages, divisions }: Site): ReadonlyMap<number, ReadonlySet<number>> {
  const byDivision = new Map<number, Set<number>>();
  const pagesOf = (division: number): Set<number> => {
    const shown = byDivision.get(division) ?? new Set();
    byDivision.set(division, shown);
    return shown;
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
    const shown = pagesOf(id);
    for (const page of order) shown.add(page);
    addEntries(entries, shown);
  }
  for (const { index, division, previous, next, directory } of pages) {
    const shown = pagesOf(division).add(index);
    if (previous !== undefined) shown.add(previous);
    if (next !== undefined) shown.add(next);
    for (const page of directory.pages) shown.add(page);
  }
  return byDivision;
}

/** Hashes of the plans of a site's pages. */
export interface PlanHashes {
  readonly withoutTexts: string;
  /** Of the texts of all pages. */
  readonly texts: string;
  /** Of the texts that the documents of a division's pages may show. */
  readonly textsOf: ReadonlyMap<number, string>;
}
const hashesOfPlans = new WeakMap<Site["pages"], PlanHashes>();

/** Spares `planHashes` the work for a plan that was hashed by an earlier run. */
export const setPlanHashes = (site: Site, hashes: PlanHashes): unknown => hashesOfPlans.set(site.pages, hashes);

export function planHashes(site: Site): PlanHashes {
  const hashes = hashesOfPlans.get(site.pages) ?? hashPlans(site);
  setPlanHashes(site, hashes);
  return hashes;
}

function hashPlans(site: Site): PlanHashes {
  const textsOf = new Map<number, string>();
  for (const [division, pages] of pagesByDivision(site)) {
    const shown = [...pages].sort((a, b) => a - b).map((page) => textsOfPage(site.pages[page]!));
    textsOf.set(division, shortHash(JSON.stringify(shown)));
  }
  return {
    withoutTexts: shortHash(JSON.stringify(plansWithoutTexts(site.pages))),
    texts: shortHash(JSON.stringify(site.pages.map(textsOfPage))),
    textsOf,
  };
}

/** Notices whether documents show texts of other pages than those of `pagesByDivision`. */
export interface ShownTexts {
  /** The site for the stages that make documents. */
  readonly site: Site;
  /** Call it before each document. */
  begin(plan: PagePlan): void;
  /** Whether this document, or one before, shows such texts: a later one may use what was made for it. */
  showsOthers(): boolean;
}

export function noteShownTexts(site: Site): ShownTexts {
  const shownIn = pagesByDivision(site);
  let allowed: ReadonlySet<number> | undefined;
  let showsOthers = false;
  const noted = (name: (typeof textNames)[number]): PropertyDescriptor => ({
    enumerable: true,
    get(this: PagePlan) {
      if (!allowed?.has(this.index)) showsOthers = true;
      return site.pages[this.index]![name];
    },
  });
  const texts = Object.create(null, Object.fromEntries(textNames.map((name) => [name, noted(name)]))) as object;
  const pages = plansWithoutTexts(site.pages).map((plan) => Object.assign(Object.create(texts), plan) as PagePlan);
  return {
    site: { ...site, pages },
    begin: ({ division }) => {
      allowed = shownIn.get(division);
    },
    showsOthers: () => showsOthers,
  };
}
