/** Scripts that identify the language, the more specific first. */
const scripts: readonly (readonly [pattern: RegExp, tag: string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, "ja"],
  [/\p{Script=Hangul}/u, "ko"],
  [/[們這來說時為會對發經過還後點實現設無開關單選檔資該與從樣間問題嗎請麼]/, "zh-Hant"],
  [/\p{Script=Han}/u, "zh"],
  [/\p{Script=Hebrew}/u, "he"],
  [/\p{Script=Arabic}/u, "ar"],
  [/\p{Script=Cyrillic}/u, "ru"],
];

/** Words of questions, and the languages that have them. */
const languagesOf = new Map<string, string[]>();
for (const [tag, text] of Object.entries({
  en: "how what why where when which can does is are the do should my with to of",
  de: "wie was warum wo wann welche welcher kann ich ist sind der die das ein eine mit und nicht mein meine wird",
  fr: "comment quoi pourquoi où quand quel quelle puis je est sont le la les un une avec et pas mon ma des du faire",
  es: "cómo qué por dónde cuándo cuál puedo es son el los las un una con y mi hacer para se",
  it: "come cosa perché dove quando quale posso è sono il lo gli un una con e mio mia fare per si",
  pt: "como que onde quando qual posso é são o os um uma com e meu minha fazer para não",
  nl: "hoe wat waarom waar wanneer welke kan ik is zijn de het een met en niet mijn",
}))
  for (const word of text.split(" ")) languagesOf.set(word, [...(languagesOf.get(word) ?? []), tag]);

/** The language of a question, such as "de" or "zh-Hant"; undefined if its words do not tell. */
export function questionLanguage(text: string): string | undefined {
  const script = /[^\0-\x7f]/.test(text) && scripts.find(([pattern]) => pattern.test(text));
  if (script) return script[1];
  const counts = new Map<string, number>();
  for (const word of wordsOf(text))
    for (const tag of languagesOf.get(word) ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const [best, next] = [...counts].sort(([, a], [, b]) => b - a);
  return best && best[1] > (next?.[1] ?? 0) ? best[0] : undefined;
}
const maxRead = 200;
const wordsOf = (text: string): string[] => (text.toLowerCase().match(/\p{L}+/gu) ?? []).slice(0, maxRead);

/** The words of a question that tell its language: "wie", "ist". */
export const languageWordsIn = (text: string, language: string): readonly string[] =>
  wordsOf(text).filter((word) => languagesOf.get(word)?.includes(language) === true);

/** The words that tell a language; none if it is told by its script. */
export const wordsOfLanguage = (language: string): readonly string[] =>
  [...languagesOf].flatMap(([word, tags]) => (tags.includes(language) ? [word] : []));
