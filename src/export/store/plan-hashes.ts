import { shortHash } from "../../lib/short-hash.js";
import type { SiteSettings } from "../../site/config/index.js";
import type { PagePlan, SidebarEntry, Site } from "../../site/site.js";
import type { PageThreadData } from "../pages/thread-messages.js";

/** The settings that may affect a page's body, its Markdown version and its feed. All others affect only the frame. */
const bodySettings = [
  ...(["name", "description", "variables", "styling", "icons"] as const),
  ...(["api", "markdown", "contextual", "seo"] as const),
] satisfies readonly (keyof SiteSettings)[];

/** What the body may read of its page's plan. The rest is for the frame around it. */
const bodyFacts = [
  ...(["sourcePath", "api", "unavailableSpec", "generated", "urlPath", "outputPath", "frontmatter", "title"] as const),
  ...(["description", "marker", "searchable", "indexed", "noindex", "boost", "formerNames"] as const),
  ...(["contextual", "language"] as const),
] satisfies readonly (keyof PagePlan)[];

/** A view of a value with only some of its properties. Reading another one throws, since the store would not notice its change. */
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

/** The site as the stages of a page's body see it: the settings, and nothing else. */
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

/** Only the checks of settings use the place where a setting is written. */
const withoutLocations = (name: string, value: unknown): unknown =>
  name === "location" && typeof value === "object" && value !== null && "sourcePath" in value ? undefined : value;

/** Hashes of everything that pages depend on, apart from the site's files. */
export interface SiteHashes {
  /** Hash of what all bodies depend on. */
  readonly settings: string;
  /** Hash of everything that a page thread receives, without the folders. Nothing else reaches a page. */
  readonly whole: string;
  /** The same without titles and descriptions of pages. */
  readonly withoutTexts: string;
  /** The same for a page that shows only the texts of the pages around it. */
  of(plan: PagePlan): string;
}

export function siteHashes(data: PageThreadData): SiteHashes {
  const { site, assets, otherFiles, baseUrl, embedded, features, parser } = data;
  const { config, pages: _, ...plan } = site;
  const plain = (_: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);
  const settings = JSON.stringify([config, assets, baseUrl, embedded, features, parser], plain);
  // The plan is most of the data and has no maps. A replacer function for each value would make this ten times slower.
  const { withoutTexts, texts, textsOf } = planHashes(site);
  const common = shortHash(`${withoutTexts}\n${JSON.stringify([plan, otherFiles])}\n${settings}`);
  return {
    settings: settingsHash(data),
    whole: shortHash(`${common} ${texts}`),
    withoutTexts: common,
    of: ({ division }) => `${common} ${textsOf.get(division) ?? texts}`,
  };
}

/** The texts of a page's plan. They change more often than the rest of the navigation. */
const textNames = ["title", "sidebarTitle", "description"] as const satisfies readonly (keyof PagePlan)[];

/** Undefined counts as null, as in JSON. Empty for data that the pages share. */
export const textsOfPage = (page: PagePlan | undefined): (string | null)[] =>
  page ? textNames.map((name) => page[name] ?? null) : [];

const plansWithoutTexts = (pages: readonly PagePlan[]): readonly object[] =>
  pages.map(({ title: _, sidebarTitle: __, description: ___, ...plan }) => plan);

/** The pages whose texts a division's documents can contain: of its sidebar, its own, and those they link to. */
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

/** Stores the hashes of a plan, so that the next run need not compute them again. */
export const setPlanHashes = (site: Site, hashes: PlanHashes): unknown => hashesOfPlans.set(site.pages, hashes);

/** @param withoutTexts the hash of that name, if it is known */
export function planHashes(site: Site, withoutTexts?: string): PlanHashes {
  const hashes = hashesOfPlans.get(site.pages) ?? hashPlans(site, withoutTexts);
  setPlanHashes(site, hashes);
  return hashes;
}

function hashPlans(site: Site, withoutTexts = shortHash(JSON.stringify(plansWithoutTexts(site.pages)))): PlanHashes {
  const textsOf = new Map<number, string>();
  for (const [division, pages] of pagesByDivision(site)) {
    const shown = [...pages].sort((a, b) => a - b).map((page) => textsOfPage(site.pages[page]!));
    textsOf.set(division, shortHash(JSON.stringify(shown)));
  }
  return {
    withoutTexts,
    texts: shortHash(JSON.stringify(site.pages.map(textsOfPage))),
    textsOf,
  };
}

/** Detects whether documents show texts of pages that `pagesByDivision` does not list. */
export function noteShownTexts(site: Site) {
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
    /** The site for the stages that make documents. */
    site: { ...site, pages },
    /** Call this before each document. */
    begin: ({ division }: PagePlan): void => {
      allowed = shownIn.get(division);
    },
    /** Whether this document or an earlier one shows such texts. A later document may reuse its parts. */
    showsOthers: () => showsOthers,
  };
}
