import { clientKeys } from "../lib/language/client-messages.js";

/** A message in the language of the page. */
export function pageMessage(key: (typeof clientKeys)[number]): string {
  return document.documentElement.dataset.words?.split("|")[clientKeys.indexOf(key)] ?? "";
}
