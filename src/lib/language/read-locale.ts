import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtFile } from "../package-root.js";
import type { AnswerMessages, Locale, Messages } from "./messages.js";

const folder = builtFile("locales");
let tags: ReadonlySet<string> | undefined;
const locales = new Map<string, Locale>();

const localeTags = (): ReadonlySet<string> =>
  (tags ??= new Set(readdirSync(folder).map((name) => name.replace(/\.json$/, ""))));

/** The locale for a BCP 47 tag: the same tag, else its base language, else English. */
export const nearestLocale = (languageTag: string): string =>
  [languageTag, languageTag.split("-")[0]!].find((tag) => localeTags().has(tag)) ?? "en";

/** @param tag from `nearestLocale`. */
export function readLocale(tag: string): Locale {
  const locale = locales.get(tag) ?? (JSON.parse(readFileSync(join(folder, `${tag}.json`), "utf8")) as Locale);
  locales.set(tag, locale);
  return locale;
}

/** The messages of the nearest locale; each call returns the same object. */
export const messagesFor = (languageTag: string): Messages => readLocale(nearestLocale(languageTag)).page;

export const messagesOfAnswers = (languageTag: string): AnswerMessages =>
  readLocale(nearestLocale(languageTag)).answers;

/** The messages of all locales, with their tags. */
export const answerMessages = (): (readonly [tag: string, messages: AnswerMessages])[] =>
  [...localeTags()].sort().map((tag) => [tag, readLocale(tag).answers]);
