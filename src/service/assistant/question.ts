/** What a question wants: the steps of a task, a value, what something is, or the place of an error. */
export type QuestionKind = "steps" | "value" | "meaning" | "error" | "other";

/** In the languages of the interface. The first kind with a pattern that fits decides. */
const kinds: Readonly<Record<Exclude<QuestionKind, "other">, readonly RegExp[]>> = {
  error: [
    /\b\p{L}*(?:Error|Exception)\b|\bE[A-Z]{4,}\b|["“`「『][^"”`」』]{8,}["”`」』]|\b(?:failed|cannot|could not|unable to|denied|refused|timed out)\b/u,
  ],
  value: [
    /\b(?:how (?:many|much|long|large|big|often|fast|old)|what(?:'s| is| are) the (?:\p{L}+ ){0,3}?(?:default|limit|price|cost|fee|maximum|max|minimum|size|rate|quota|range|value|port)|(?:which|what) (?:values|options|limits|ports?)|pricing|defaults? to|rate limits?)/iu,
    /(?:多少|多大|多久|多长|几个|默认值?|上限|限制是|价格|费用|最大|最小|幾個|多長|預設|價格|費用)/u,
    /(?:いくら|何回|何個|何分|何時間|どのくらい|上限|制限|料金|価格|デフォルト|最大|最小|初期値)/u,
    /(?:얼마|몇 |기본값|제한|최대|최소|가격|요금)/u,
    /(?:^|\s)(?:wie ?viele?|wie (?:lange|groß|oft|teuer)|standardwert|höchstens|preis|kosten|combien|par défaut|limite|prix|tarif|cuánt[oa]s?|por defecto|límite|precio|quant[oaie]s?|predefinit[oa]|prezzo|padrão|preço|hoeveel|hoe (?:lang|groot|vaak)|standaardwaarde|prijs)(?=\s|[?!.,]|$)/iu,
    /(?:сколько|по умолчанию|лимит|ограничени|цена|стоимость|كم |الافتراضي|الحد |سعر|כמה|ברירת המחדל|מגבלה|מחיר)/u,
  ],
  meaning: [
    /^(?:what(?:'s| is| are)|what does .* mean|define|explain)\b/iu,
    /(?:什么是|是什么|什麼是|是什麼|とは|って何|무엇|이란)/u,
    /^(?:was (?:ist|sind|bedeutet)|qu(?:'|’)est-ce (?:que|qu(?:'|’)\p{L}+)|c(?:'|’)est quoi|¿?qué (?:es|son|significa)|(?:che )?cos(?:a|'|’) ?(?:è|sono)|o que (?:é|são)|wat (?:is|zijn|betekent))(?=\s|[?!.,]|$)/iu,
    /^(?:что (?:такое|значит)|ما (?:هو|هي|معنى)|מה (?:זה|זו|הוא|היא|פירוש))/u,
  ],
  steps: [
    /\b(?:how (?:do|can|to|should|would)|steps|set ?up|install|configure|create|enable|disable|delete|remove|add|change)\b/iu,
    /(?:怎么|如何|怎样|怎麼|怎樣|步骤|步驟|方法|手順|どうやって|どうすれば|するには|したい|어떻게|방법|하려면)/u,
    /(?:^|\s)(?:wie|comment|cómo|come|como|hoe)(?=\s)|(?:как |كيف|איך)/iu,
  ],
};

const maxRead = 500;

export function questionKind(text: string): QuestionKind {
  const read = text.slice(0, maxRead);
  const fitting = Object.entries(kinds).find(([, patterns]) => patterns.some((pattern) => pattern.test(read)));
  return (fitting?.[0] ?? "other") as QuestionKind;
}

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

/** Words of questions, also without their accents, which many readers do not type, and the languages that have them. */
const languagesOf = new Map<string, string[]>();
for (const [tag, text] of Object.entries({
  en: "how what why where when which can does is are the do should my with to of",
  de: "wie was warum wo wann welche welcher kann ich ist sind der die das ein eine mit und nicht mein meine wird",
  fr: "comment combien quoi pourquoi où quand quel quelle puis je est sont le la les un une avec et pas mon ma des du faire",
  es: "cómo qué por dónde cuándo cuánto cuál puedo es son el los las un una con y mi hacer para se",
  it: "come cosa perché dove quando quanto quale posso è sono il lo gli un una con e mio mia fare per si",
  pt: "como que onde quando quanto quantos qual quais posso é são o os um uma com sem pelo e eu meu minha fazer para não",
  nl: "hoe wat waarom waar wanneer welke kan ik is zijn de het een met en niet mijn",
}))
  for (const word of new Set(`${text} ${text.normalize("NFD").replace(/\p{M}/gu, "")}`.split(" ")))
    languagesOf.set(word, [...(languagesOf.get(word) ?? []), tag]);

/** The language of a question, such as "de" or "zh-Hant"; undefined if its words do not tell. */
export function questionLanguage(text: string): string | undefined {
  const [likely, ...others] = likelyLanguages(text);
  return others.length === 0 ? likely : undefined;
}

/** The languages that most words of a question tell: several, if they share these words. */
export function likelyLanguages(text: string): readonly string[] {
  const signs = [...languageSigns(text)];
  const most = Math.max(...signs.map(([, count]) => count));
  return signs.flatMap(([tag, count]) => (count === most ? [tag] : []));
}

/** How many words of a question tell that it is in a language; infinite if its script does. */
export function languageSigns(text: string): ReadonlyMap<string, number> {
  const script = /[^\0-\x7f]/.test(text) && scripts.find(([pattern]) => pattern.test(text));
  if (script) return new Map([[script[1], Number.POSITIVE_INFINITY]]);
  const counts = new Map<string, number>();
  for (const word of wordsOf(text))
    for (const tag of languagesOf.get(word) ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return counts;
}
const maxWords = 200;
const wordsOf = (text: string): string[] => (text.toLowerCase().match(/\p{L}+/gu) ?? []).slice(0, maxWords);

/** The words of a question that tell its language: "wie", "ist". */
export const languageWordsIn = (text: string, language: string): readonly string[] =>
  wordsOf(text).filter((word) => languagesOf.get(word)?.includes(language) === true);

/** The words that tell a language; none if it is told by its script. */
export const wordsOfLanguage = (language: string): readonly string[] =>
  [...languagesOf].flatMap(([word, tags]) => (tags.includes(language) ? [word] : []));
