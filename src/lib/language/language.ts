/** BCP 47 tags for language codes of docs.json that are not tags or are ambiguous. */
const tags: ReadonlyMap<string, string> = new Map([
  ["cn", "zh-Hans"],
  ["zh", "zh-Hans"],
  ["zh-CN", "zh-Hans"],
  ["zh-TW", "zh-Hant"],
  ["jp", "ja"],
  ["ja-jp", "ja"],
  ["ja-JP", "ja"],
  ["fr-ca", "fr-CA"],
]);
const names: ReadonlyMap<string, string> = new Map([
  ["en", "English"],
  ["zh-Hans", "简体中文"],
  ["zh-Hant", "繁體中文"],
  ["es", "Español"],
  ["fr", "Français"],
  ["fr-CA", "Français (Canada)"],
  ["ja", "日本語"],
  ["pt", "Português"],
  ["pt-BR", "Português (Brasil)"],
  ["de", "Deutsch"],
  ["ko", "한국어"],
  ["it", "Italiano"],
  ["ru", "Русский"],
  ["ro", "Română"],
  ["cs", "Čeština"],
  ["id", "Bahasa Indonesia"],
  ["ar", "العربية"],
  ["tr", "Türkçe"],
  ["hi", "हिन्दी"],
  ["sv", "Svenska"],
  ["no", "Norsk"],
  ["da", "Dansk"],
  ["lv", "Latviešu"],
  ["nl", "Nederlands"],
  ["uk", "Українська"],
  ["vi", "Tiếng Việt"],
  ["pl", "Polski"],
  ["uz", "Oʻzbekcha"],
  ["he", "עברית"],
  ["ca", "Català"],
  ["fi", "Suomi"],
  ["hu", "Magyar"],
]);
const rightToLeft = new Set(["ar", "ckb", "dv", "fa", "he", "iw", "ps", "sd", "ug", "ur", "yi"]);

/** The BCP 47 tag of a language code of docs.json; English if the site has none. */
export const languageTag = (code: string | undefined): string => (code === undefined ? "en" : (tags.get(code) ?? code));
/** The name of a language in that language. */
export const languageName = (code: string): string => names.get(languageTag(code)) ?? code;
export const directionOf = (tag: string): "ltr" | "rtl" => (rightToLeft.has(tag.split("-")[0]!) ? "rtl" : "ltr");
