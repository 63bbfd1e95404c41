import type { Messages } from "./strings.js";

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
] as const satisfies readonly (keyof Messages)[];

export const clientWords = (messages: Messages): string => clientKeys.map((key) => messages[key]).join("|");
