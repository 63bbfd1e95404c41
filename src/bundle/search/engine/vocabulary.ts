import { remembered } from "../../../lib/memo.js";
import commonWords from "./common-words.json" with { type: "json" };

/** What the forms of an English word share: `cach` of "cache" and "caching". It may be no word. */
export const baseOf = remembered((word) => {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word.replace(russianEnding, "");
  const single = singular(word);
  const ending = /(?:ing|ed)$/.exec(single)?.[0] ?? "";
  const stem = single.slice(0, single.length - ending.length);
  // "ring" and "need" have no ending.
  const cut = ending !== "" && stem.length >= 3 && /[aeiouy]/.test(stem) ? undoubled(stem) : single;
  return cut.length > 3 ? cut.replace(/e$/, "").replace(/i$/, "y") : cut;
});

/** Of a case or an infinitive. Words have no "й" and "ё" here, since these are letters with accents. */
const russianEnding = /(?<=^[а-я]{3,})(?:ть(?:ся)?|ь|[аеиоуыэюя]+(?:[мхв]|ми|го|му)?)$/;

/** The word without the ending of an English plural. */
export function singular(word: string): string {
  if (/(?:ss|us|is)$/.test(word) || !word.endsWith("s")) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(?:ch|sh|ss|x|z)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** "run" of "runn", but "call" stays. */
const undoubled = (stem: string): string => stem.replace(/([bdgmnprt])\1$/, "$1");

/** What related English words share: `configur` of "configure" and "configuration". Not for display. */
export const rootOf = remembered((word) => {
  const base = baseOf(word);
  if (base.length < 6 || !/^[a-z]+$/.test(base)) return base;
  return (
    base
      // Of the languages that come from Latin: "instalar", "instalação", "instalado".
      .replace(/(.{4})(?:a(?:cao|coes|cion|cione|mento|miento|ndo|d[ao]|r))$/, "$1")
      .replace(/ription$/, "rib")
      .replace(/(?:fy|ficat(?:e|ion|or)?)$/, "f")
      .replace(/(.{4})at(?:e|ion|or|iv)?$/, "$1")
      .replace(/(.{5})(?:ion|ment|ly|abl|ibl|er|or|anc|enc)$/, "$1")
      .replace(/[ey]$/, "")
  );
});

/** Words of questions in several languages: "how do I ...", which say little. Without accents, as in the index. */
export const questionWords: ReadonlySet<string> = new Set(Object.values(commonWords.question).join(" ").split(" "));

export const isCommonWord = (word: string): boolean =>
  questionWords.has(word) || (isPacked(word) && commonPair.test(word));

/** Pairs of Japanese and Chinese characters that are grammar: particles, endings, pronouns and question words. */
const commonPair =
  /^(?:\p{Script=Hiragana}.?|[中後時際間方事所為]\p{Script=Hiragana}|.?[的了之吗呢吧么嗎麼我你您它把被让讓很也都就还還请請怎哪]|[的了之吗呢吧么嗎麼我你您它把被让讓很也都就还還请請怎哪].?|[和与與及或在从從对對给給]|如何|什.|可以|能不|不能|能否|是否|是不|为什|為什|一个|一個|有没|有沒|没有|沒有|几个|幾個|需要|想要|时候|時候|这个|這個|那个|那個|自己|何時|以后|以後|之后|之後|之前|以前|어떻|떻게|얼마|마나|무엇|어디|[법뭐왜수것좀]|있어|있나|되나|해야|하고|싶어)$/u;

/** Words that everybody uses about everything, such as "people" or "take". Documentation often has them so seldom, too. */
const everydayWords = new Set(commonWords.everyday.split(" ").map(baseOf));

export const isEverydayWord = (word: string): boolean => everydayWords.has(baseOf(word));

/** Words that a page may have instead of one, the best first. */
export type Synonyms = (word: string) => readonly string[];

/** Reads groups of synonyms, or what readers say and, after a colon, what authors write for it. */
export function readSynonyms(entries: readonly string[]): Synonyms {
  const groups = new Map<string, string[]>();
  for (const entry of entries) {
    const [said = "", written = said] = entry.split(": ");
    for (const word of said.split(" ")) {
      const base = baseOf(word);
      const keys = [singular(word), `any ${base}`, ...(isInflected(word) ? [`inflected ${base}`] : [])];
      for (const key of keys) {
        const group = groups.get(key) ?? [];
        groups.set(key, group);
        for (const other of written.split(" ")) if (baseOf(other) !== base && !group.includes(other)) group.push(other);
      }
    }
  }
  // "accounting" has an entry of its own, and "not" is no form of "note".
  return (word) =>
    groups.get(singular(word)) ?? groups.get(`${isInflected(word) ? "any" : "inflected"} ${baseOf(word)}`) ?? [];
}

/** Whether a word may have an ending that `baseOf` removes, besides that of a plural. */
const isInflected = (word: string): boolean => !/^[a-z]+$/.test(word) || /(?:ing|ed)s?$/.test(word);

/** The simplified form of each traditional Chinese character. */
export type Variants = ReadonlyMap<string, string>;

/** Whether a word's script has no spaces, as Chinese: the index has its pairs of characters (see `words.ts`). */
export const isPacked = (word: string): boolean => word > "\u0e00";
export const isPair = (word: string): boolean => word.length === 2 && isPacked(word);

/** The first character of a pair such as "戻し", which other forms of the word share; undefined for other words. */
export const stemOfPair = (word: string): string | undefined =>
  /^\p{Script=Han}\p{Script=Hiragana}$/u.test(word) ? word[0] : undefined;

export const hasHan = (text: string): boolean => /\p{Script=Han}/u.test(text);

/** More would read many files. */
const maxSpellings = 12;

/** The spellings of a word of one or two characters in traditional and simplified Chinese, the word itself first. */
export function spellingsOf(word: string, variants: Variants): string[] {
  let spellings = [""];
  for (const character of word) {
    const forms = formsOf(character, variants);
    spellings = spellings.flatMap((start) => forms.map((form) => start + form));
  }
  return spellings.slice(0, maxSpellings);
}

function formsOf(character: string, variants: Variants): string[] {
  const simple = variants.get(character) ?? character;
  const forms = new Set([character, simple]);
  for (const [traditional, other] of variants) if (other === simple) forms.add(traditional);
  return [...forms];
}

export const simplified = (text: string, variants: Variants): string =>
  variants.size === 0 ? text : Array.from(text, (character) => variants.get(character) ?? character).join("");

/** @param pairs each traditional character, then its simplified form. */
export const readVariants = (pairs: string): Variants =>
  new Map(Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[2 * i]!, pairs[2 * i + 1]!]));
