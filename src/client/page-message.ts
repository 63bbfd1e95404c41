import { clientKeys } from "../lib/language/reader-texts.js";

/** A message in the language of the page. */
export function pageMessage(key: (typeof clientKeys)[number]): string {
  return document.documentElement.dataset.words?.split("|")[clientKeys.indexOf(key)] ?? "";
}
