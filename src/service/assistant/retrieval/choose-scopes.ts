import type { SiteFilter } from "../answer.js";
import type { FactScope } from "./site-facts.js";

/**
 * The indexes to search: those of the wanted language and version, and those without. What the filter leaves open is as on
 * the reader's page, else the default of the site. The nearest come first.
 *
 * @param current index of the reader's page.
 */
export function chooseScopes(scopes: readonly FactScope[], filter: SiteFilter = {}, current?: number): number[] {
  if (scopes.length < 2) return [0];
  const origin = current === undefined ? undefined : scopes[current];
  const usual = scopes.find(({ isDefault }) => isDefault);
  const language = filter.language ?? origin?.language ?? usual?.language;
  const version = filter.version ?? origin?.version ?? versionIn(scopes, language);
  const distance = (scope: FactScope): number =>
    Number(scope.language !== language) + Number(scope.version !== version);
  return [...scopes.keys()]
    .filter((at) => {
      const scope = scopes[at]!;
      return [undefined, language].includes(scope.language) && [undefined, version].includes(scope.version);
    })
    .sort((a, b) => distance(scopes[a]!) - distance(scopes[b]!));
}

/** The default version, or the first of a language that does not have it. */
function versionIn(scopes: readonly FactScope[], language: string | undefined): string | undefined {
  const own = scopes.filter((scope) => [undefined, language].includes(scope.language) && scope.version !== undefined);
  const usual = scopes.find(({ isDefault, version }) => isDefault && version !== undefined)?.version;
  return (own.find(({ version }) => version === usual) ?? own[0])?.version;
}
