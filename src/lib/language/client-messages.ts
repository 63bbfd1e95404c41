import type { Messages } from "./messages.js";

/** Messages of scripts in the reader's browser. `html[data-words]` has them in this order, separated by `|`. */
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
  "pictureMissing",
  "copy",
  "linkTo",
] as const satisfies readonly (keyof Messages)[];

export const clientMessages = (messages: Messages): string => clientKeys.map((key) => messages[key]).join("|");
