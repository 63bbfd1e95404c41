import type { SearchChoices } from "../../bundle/search/index-format.js";
import { create, pageMessage } from "../dom.js";
import type { SearchHost } from "./search-host.js";

/**
 * The choices of what is searched, where a site has several languages, versions or products. At first those of the page are
 * chosen, and all products.
 *
 * @param onChange called when the reader chooses.
 */
export function createFilters({ scopes, products }: SearchChoices, host: SearchHost, onChange: () => void) {
  const own = host.indexes.map((index) => scopes[Number(index)] ?? ["", ""]);
  const namesAt = (at: 0 | 1): string[] => [...new Set(scopes.map((scope) => scope[at]))].filter((name) => name !== "");
  const select = (names: readonly string[], chosen: string): HTMLSelectElement => {
    const element = create("select", {}, ...names.map((name) => new Option(name)));
    element.value = chosen;
    element.addEventListener("change", () => {
      isChanged = true;
      onChange();
    });
    return element;
  };
  const firstAt = (at: 0 | 1): string => own.map((scope) => scope[at]).find((name) => name !== "") ?? "";
  let isChanged = false;
  const language = select(namesAt(0), firstAt(0));
  const version = select(namesAt(1), firstAt(1));
  const product = select(["–", ...products], "–");
  const labelled = [
    [pageMessage("product"), product, products],
    [pageMessage("version"), version, namesAt(1)],
    [pageMessage("language"), language, namesAt(0)],
  ] as const;
  const element = create(
    "div",
    "search-filters",
    ...labelled.flatMap(([label, choice, names]) =>
      names.length < 2 ? [] : [create("label", "search-filter", label, " ", choice)],
    ),
  );
  element.hidden = element.childElementCount === 0;
  const fits = (name: string, chosen: string): boolean => name === "" || name === chosen;
  return {
    element,
    /** Names of the indexes to search, nearest first. */
    indexes(): readonly string[] {
      if (!isChanged) return host.indexes;
      const named = scopes.map(([ofLanguage, ofVersion], at) => ({ ofLanguage, ofVersion, name: String(at) }));
      const inLanguage = named.filter(({ ofLanguage }) => fits(ofLanguage, language.value));
      const inBoth = inLanguage.filter(({ ofVersion }) => fits(ofVersion, version.value));
      const rest = (scope: (typeof named)[number]): number =>
        Number(scope.ofLanguage === "") + Number(scope.ofVersion === "");
      // A translation may have other versions.
      return (inBoth.length > 0 ? inBoth : inLanguage).sort((a, b) => rest(a) - rest(b)).map(({ name }) => name);
    },
    /** Number of the only product that is searched; 0 for all. */
    product: (): number => products.indexOf(product.value) + 1,
  };
}
