import { languageTag, type Messages, messagesFor } from "../../lib/language/index.js";
import { englishWords } from "./runtime/ui/words.js";

export type IslandWords = Readonly<Record<string, string>>;

/** What our components in live islands say in a language; undefined for English, which they speak without it. */
export function islandWords(language: string | undefined): IslandWords | undefined {
  const messages: Messages = messagesFor(languageTag(language));
  const names = Object.keys(englishWords) as (keyof typeof englishWords)[];
  if (names.every((name) => messages[name] === englishWords[name])) return undefined;
  return Object.fromEntries(names.map((name) => [name, messages[name]]));
}
