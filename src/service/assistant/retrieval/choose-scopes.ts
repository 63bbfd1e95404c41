import { languageIn } from "../../../lib/language/index.js";
import type { SiteFilter } from "../answer.js";
import type { FactScope } from "./index-object.js";

/** What decides which indexes a question searches. */
export interface ScopeChoice {
  readonly filter?: SiteFilter;
  /** Index of the reader's page. */
  readonly current?: number;
  /** BCP 47 tag of the language of the question. */
  readonly spoken?: string;
}

/**
 * The indexes to search: those of the wanted language and version, and those without. The filter decides. What it leaves
 * open is as on the reader's page, else as the question is, else the default of the site. A question in another language
 * than the reader's page searches both, also with a filter that only repeats the page's language. The nearest come first.
 */
export function chooseScopes(
  scopes: readonly FactScope[],
  { filter = {}, current, spoken }: ScopeChoice,
): readonly number[] {
  if (scopes.length < 2) return [0];
  const origin = current === undefined ? undefined : scopes[current];
  const usual = scopes.find(({ isDefault }) => isDefault);
  const known = scopes.flatMap(({ language }) => language ?? []);
  const asked = [origin?.language, spoken && spokenIn(known, spoken)].filter((tag) => tag !== undefined);
  // Pages send their own language as a filter.
  const isFiltered = filter.language !== undefined && filter.language !== origin?.language;
  const languages = isFiltered ? [filter.language] : asked.length > 0 ? asked : [usual?.language];
  const versions = languages.map((language) => filter.version ?? origin?.version ?? versionIn(scopes, language));
  const distance = ({ language, version }: FactScope): number => {
    const at = languages.indexOf(language);
    return (at < 0 ? languages.length : at) + Number(version !== versions[Math.max(0, at)]);
  };
  return [...scopes.keys()]
    .filter((at) => {
      const { language, version } = scopes[at]!;
      if (language === undefined) return version === undefined || versions.includes(version);
      const of = languages.indexOf(language);
      return of >= 0 && [undefined, versions[of]].includes(version);
    })
    .sort((a, b) => distance(scopes[a]!) - distance(scopes[b]!));
}

/** The default version, or the first of a language that does not have it. */
function versionIn(scopes: readonly FactScope[], language: string | undefined): string | undefined {
  const ofLanguage = scopes.filter(
    (scope) => [undefined, language].includes(scope.language) && scope.version !== undefined,
  );
  const usual = scopes.find(({ isDefault, version }) => isDefault && version !== undefined)?.version;
  return (ofLanguage.find(({ version }) => version === usual) ?? ofLanguage[0])?.version;
}

/** A question in traditional Chinese finds pages in simplified Chinese, and the other way round. */
export const spokenIn = (tags: readonly string[], spoken: string): string | undefined =>
  languageIn(tags, spoken) ?? tags.find((tag) => tag.split("-")[0] === spoken.split("-")[0]);
