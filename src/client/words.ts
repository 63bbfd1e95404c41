import { clientKeys } from "../lib/language/client-messages.js";

/** What the page's language says for it. */
export function word(key: (typeof clientKeys)[number]): string {
  return document.documentElement.dataset.words?.split("|")[clientKeys.indexOf(key)] ?? "";
}
