import languages from "./languages.json" with { type: "json" };
import type english from "./locales/en.json";

/** Every text of the page around its content, by name. `fill` puts a value in place of `%`. */
export type Messages = Readonly<typeof english.page>;

/** The texts that only the playground has. */
export type PlaygroundMessages = Readonly<typeof english.playground>;

/** The texts that only the panel of the assistant has. */
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
