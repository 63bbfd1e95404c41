import { languageName } from "../../lib/language/index.js";
import type { Division, PagePlan, Site } from "../../site/site.js";
import type { SearchChoices } from "./index-format.js";

/** Pages that are searched together: those of one language and version, or without both. */
export interface SearchScope {
  /** Name of its index: `0`, `1` ... in page order. */
  readonly id: string;
  readonly language?: string;
  readonly version?: string;
  /** Contains pages of the default language and version. */
  readonly isDefault: boolean;
  /** Indexes of its pages, ascending. */
  readonly pages: readonly number[];
}

/** The scopes of all searchable pages. A page belongs to the scope of every place in the navigation that lists it. */
export function searchScopes(site: Site): SearchScope[] {
  const scopes = new Map<string, { scope: Omit<SearchScope, "id" | "isDefault" | "pages">; pages: Set<number> }>();
  const add = (page: PagePlan, language: string | undefined, version: string | undefined): void => {
    const key = JSON.stringify([language ?? null, version ?? null]);
    const known = scopes.get(key) ?? { scope: { language, version }, pages: new Set() };
    scopes.set(key, known);
    known.pages.add(page.index);
  };
  for (const page of site.pages) if (page.searchable) add(page, page.language, page.version);
  for (const division of site.divisions) {
    const [language, version] = [labelOf(site, division, "language"), labelOf(site, division, "version")];
    for (const index of division.order) if (site.pages[index]!.searchable) add(site.pages[index]!, language, version);
  }
  return [...scopes.values()].map(({ scope, pages }, at) => ({
    ...scope,
    id: String(at),
    isDefault: [...pages].some((index) => site.pages[index]!.inDefaultScope),
    pages: [...pages].sort((a, b) => a - b),
  }));
}

/** What readers can choose between; undefined for a site with one language, version and product. */
export function searchChoices(site: Site, scopes: readonly SearchScope[]): SearchChoices | undefined {
  const products = site.sections.filter(({ kind }) => kind === "product").map(({ label }) => label);
  if (scopes.length < 2 && products.length < 2) return undefined;
  return {
    scopes: scopes.map(({ language, version }) => [
      language === undefined ? "" : languageName(language),
      version ?? "",
    ]),
    products: products.length < 2 ? [] : products,
  };
}

/** The scopes to search from a page of a division: of its language and version or the default, narrowest first. */
export function scopesFor(site: Site, scopes: readonly SearchScope[], division: Division): SearchScope[] {
  const [language, version] = [labelOf(site, division, "language"), labelOf(site, division, "version")];
  const rivals = version === undefined ? new Set<string>() : rivalsOf(site, version);
  const fits = (scope: SearchScope): boolean => {
    const inLanguage = [undefined, language].includes(scope.language) || (language === undefined && scope.isDefault);
    if (!inLanguage) return false;
    if (scope.version === undefined || scope.version === version) return true;
    return scope.isDefault && !rivals.has(scope.version);
  };
  const distance = (scope: SearchScope): number =>
    Number(scope.language !== language) + Number(scope.version !== version);
  return scopes.filter(fits).sort((a, b) => distance(a) - distance(b));
}

/** Versions that are alternatives to this one, including itself. */
function rivalsOf(site: Site, version: string): Set<string> {
  const rivals = new Set<string>();
  for (const { children } of site.sections) {
    const versions = children.map((id) => site.sections[id]!).filter(({ kind }) => kind === "version");
    const labels = versions.map(({ label }) => label);
    if (labels.includes(version)) for (const label of labels) rivals.add(label);
  }
  return rivals;
}

const labelOf = (site: Site, division: Division, kind: "language" | "version"): string | undefined =>
  division.sections.map((id) => site.sections[id]!).findLast((section) => section.kind === kind)?.label;
