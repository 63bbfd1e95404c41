import languages from "./languages.json" with { type: "json" };
import type english from "./locales/en.json";

/** Every text of the page around its content, by name. `fill` puts a value in place of `%`. */
export type Messages = Readonly<typeof english.page>;

/** The texts of the playground only. */
export type PlaygroundMessages = Readonly<typeof english.playground>;

/** The texts of the assistant's panel only. */
export type AssistantMessages = Readonly<typeof english.assistant>;

/** The fixed texts of an assistant without a language model. */
export type AnswerMessages = Readonly<typeof english.answers>;

/** The content of a file in `locales/`. */
export interface Locale {
  readonly page: Messages;
  readonly playground: PlaygroundMessages;
  readonly assistant: AssistantMessages;
  readonly answers: AnswerMessages;
}

/** BCP 47 tags for language codes of docs.json that are not tags or are ambiguous. */
const tags = new Map(Object.entries(languages.tags));
const names = new Map(Object.entries(languages.names));
const rightToLeft = new Set(["ar", "ckb", "dv", "fa", "he", "iw", "ps", "sd", "ug", "ur", "yi"]);

/** The BCP 47 tag of a language code of docs.json; English if the site has none. */
export const languageTag = (code: string | undefined): string => (code === undefined ? "en" : (tags.get(code) ?? code));

export const languageName = (code: string): string => names.get(languageTag(code)) ?? code;
export const directionOf = (tag: string): "ltr" | "rtl" => (rightToLeft.has(tag.split("-")[0]!) ? "rtl" : "ltr");

/**
 * The `lang` and `dir` attributes of a page in a right-to-left script that the navigation lists under a left-to-right
 * language; "" if most letters of its title are left-to-right. Its folder (`/ar/start`) may name the language.
 */
export function ownDirection(title: string, urlPath: string, tag: string): string {
  if (directionOf(tag) === "rtl" || !rightToLeftLetter.test(title)) return "";
  const letters = title.match(/\p{L}/gu)!;
  if (letters.filter((letter) => rightToLeftLetter.test(letter)).length * 2 < letters.length) return "";
  const folder = urlPath.split("/").find((name) => rightToLeft.has(name));
  return `${folder === undefined ? "" : ` lang="${folder}"`} dir="rtl"`;
}

const rightToLeftLetter = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** The site's tag for a language: the same in any spelling ("zh", "zh-Hans"), else the nearest ("pt" for "pt-BR"). */
export function languageIn(tags: readonly string[], language: string): string | undefined {
  const wanted = languageTag(language).toLowerCase();
  return (
    tags.find((tag) => tag === language || tag.toLowerCase() === wanted) ??
    tags.find(
      (tag) => `${tag.toLowerCase()}-`.startsWith(`${wanted}-`) || `${wanted}-`.startsWith(`${tag.toLowerCase()}-`),
    )
  );
}
