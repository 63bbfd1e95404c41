import type { Strings } from "./strings.js";

/** What scripts in the reader's browser say. `html[data-words]` holds it in this order, with `|` between. */
export const clientKeys = [
  "copied",
  "copyFailed",
  "wrapLines",
  "enlarge",
  "close",
  "search",
  "noResults",
  "resultCount",
  "recentSearches",
  "clear",
  "searchFailed",
  "toMove",
  "toOpen",
  "toClose",
  "tryOther",
] as const satisfies readonly (keyof Strings)[];

export const clientWords = (words: Strings): string => clientKeys.map((key) => words[key]).join("|");
