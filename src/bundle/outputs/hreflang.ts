import type { PagePlan, Site } from "../../site/site.js";
import { isPublished } from "./published.js";

/** The same page in another language. */
export interface Alternate {
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
export function createAlternates(site: Site): (plan: PagePlan) => readonly Alternate[] {
  const languages = new Set(site.sections.filter(({ kind }) => kind === "language").map(({ label }) => label));
  if (languages.size < 2) return () => [];
  const usual = usualVersion(site);
  const main = site.sections.find((section) => section.kind === "language" && section.default)?.label;

  const sets = new Map<string, Map<string, PagePlan>>();
  for (const page of site.pages) {
    if (page.language === undefined || !isCode(page.language) || !isPublished(page)) continue;
    const key = translationKey(page, languages, usual);
    const set = sets.get(key) ?? new Map<string, PagePlan>();
    if (!set.has(page.language)) set.set(page.language, page);
    sets.set(key, set);
  }
  return (plan) => {
    const set = plan.language === undefined ? undefined : sets.get(translationKey(plan, languages, usual));
    if (set === undefined || set.size < 2 || set.get(plan.language!)?.outputPath !== plan.outputPath) return [];
    const alternates = [...set].map(([language, page]) => ({ language, page }));
    const fallback = main === undefined ? undefined : set.get(main);
    return fallback === undefined ? alternates : [...alternates, { language: "x-default", page: fallback }];
  };
}

const isCode = (language: string) => /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{2,8})*$/.test(language);

/** The default version of the first language that has versions. */
function usualVersion({ sections }: Site): string {
  const languages = sections.filter(({ kind }) => kind === "language");
  const children = languages.flatMap((language) => language.children.map((id) => sections[id]!));
  return children.find((child) => child.kind === "version" && child.default)?.label ?? "";
}

/** Equal for all translations of a page. */
function translationKey({ urlPath, version }: PagePlan, languages: ReadonlySet<string>, usual: string): string {
  const segments = urlPath.slice(1).split("/");
  const rest = segments.filter((segment, i) => i > 1 || !(languages.has(segment) || segment === version));
  return `${version ?? usual}\n${rest.join("/")}`;
}
