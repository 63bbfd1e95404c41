import { cutWords } from "../words.js";
import { baseOf, hasHan, isCommonWord, isPacked, isPair, type Synonyms, stemOfPair } from "./vocabulary.js";

/** One word that the reader looks for. */
export interface QueryTerm {
  readonly word: string;
  /** The parts of an identifier; an entry with all of them matches too. */
  readonly parts: readonly string[];
  /** The reader may still be typing it. */
  readonly open: boolean;
  /** Raises the score of a match, but is not required. */
  readonly optional: boolean;
  /** A word of the question, such as "how", next to words that say more. */
  readonly common: boolean;
}

/** Most words that are read besides those of questions, and most terms with these. */
const maxWords = 12;
const maxTerms = 60;

/** Whether a word with parts is a name such as `getUserById`, `--strict` or `x-api-key`; "self-hosting" is none. */
export const isName = (word: string, parts: number): boolean =>
  parts > 0 && (word.replace(/[^-]/g, "").length !== 1 || /[._/@]|^-/.test(word));

/** @param most words that are read besides those of questions. A language without blanks has many of these. */
export function parseQuery(text: string, synonymsOf: Synonyms, most = maxWords): QueryTerm[] {
  const terms: QueryTerm[] = [];
  cutWords(text, (word, parts) => {
    const taken = parts === 0 ? [] : terms.splice(-parts);
    // In scripts that are indexed in pairs, one character may start a pair.
    const open = word.length === 1 && isPacked(word);
    terms.push({ word, parts: taken.map((each) => each.word), open, optional: false, common: false });
  });
  joinPhrases(terms, synonymsOf);
  joinKatakana(terms);
  dropTails(terms);
  const last = terms.at(-1);
  // The expression would be tried at each character of the whole text.
  if (last && /[\p{L}\p{M}\p{N}]$/u.test(text.slice(-2))) terms[terms.length - 1] = { ...last, open: true };
  const distinct = terms.filter((each, at) => terms.findIndex(({ word }) => word === each.word) === at);
  const isQuestion = distinct.some(({ word }) => !isCommonWord(word));
  const between = pairsBetweenWords(text);
  let telling = 0;
  const marked = distinct
    .map((term) => ({
      ...term,
      common: isQuestion && isCommonWord(term.word),
      optional: between.has(term.word),
    }))
    .filter(({ common, optional }) => common || optional || telling++ < most)
    .slice(0, maxTerms);
  return [...marked, ...joined(marked)];
}

/** "signed in" has the meaning of "signin", which "sign" does not have, and "money back" that of a refund. */
function joinPhrases(terms: QueryTerm[], synonymsOf: Synonyms): void {
  for (let at = terms.length - 1; at > 0; at--) {
    const [left, right] = [terms[at - 1]!, terms[at]!];
    const word = [left.word, baseOf(left.word)]
      .map((each) => each + right.word)
      .find((each) => synonymsOf(each).length > 0);
    if (word === undefined) continue;
    terms.splice(at - 1, 2, { ...right, word, parts: [left.word, right.word] });
  }
}

/** "作を" of "動作を" is not a form of "作る": it ends a word that is a term already, and a particle follows. */
function dropTails(terms: QueryTerm[]): void {
  for (let at = terms.length - 1; at > 0; at--) {
    const [before, tail] = [terms[at - 1]!.word, terms[at]!.word];
    if (/^.[をがはにのでとへもやかさしすせ]$/.test(tail) && stemOfPair(tail) === before[1] && hasHan(before[0]!))
      terms.splice(at, 1);
  }
}

/** "コマンド" is one word, not three pairs that each count as one. */
function joinKatakana(terms: QueryTerm[]): void {
  const isKatakana = (term: QueryTerm | undefined): boolean => /^[\u30a1-\u30fa\u30fc]{2}$/.test(term?.word ?? "");
  for (let at = 0; at < terms.length; at++) {
    if (!isKatakana(terms[at])) continue;
    let end = at + 1;
    while (isKatakana(terms[end]) && terms[end]!.word[0] === terms[end - 1]!.word[1]) end++;
    if (end - at < 2) continue;
    const parts = terms.slice(at, end).map(({ word }) => word);
    const word = parts.reduce((all, pair) => all + pair[1]!);
    // "サーバー" is also written "サーバ".
    if (word.endsWith("ー") && parts.length > 2) parts.pop();
    terms.splice(at, end - at, { ...terms[at]!, word, parts });
  }
}

/** A Korean word, and the particle or ending that is written with it. */
const koreanWord =
  /\p{Script=Hangul}{2,12}?(에서|으로|에게|부터|까지|하고|하는|하면|하나요|있나요|인가요|나요|가요|어요|아요|해요|습니다|입니다|세요|[을를은는이가에의로와과도만요고])(?!\p{Script=Hangul})/gu;

/**
 * Pairs of characters across two words: the last of one and the first of the next, or of an ending in Korean. Two words of
 * one character each may be one that the browser does not know. Empty if it cannot cut a text into words, and in
 * Japanese, where kana tell the words apart.
 */
function pairsBetweenWords(text: string): ReadonlySet<string> {
  const between = new Set<string>();
  for (const [word, ending] of text.matchAll(koreanWord))
    for (let at = word.length - ending!.length; at < word.length; at++) between.add(word.slice(at - 1, at + 1));
  if (!/[\u0e00-\uffff]/.test(text) || /[\u3041-\u30ff]/.test(text) || !("Segmenter" in Intl) || between.size > 0)
    return between;
  cutWords(text, (word) => isPair(word) && between.add(word));
  let before = "";
  for (const { segment } of new Intl.Segmenter("zh", { granularity: "word" }).segment(text)) {
    if (segment.length === 1 && before.length === 1) between.delete(before + segment);
    cutWords(segment, (word) => between.delete(word));
    before = segment;
  }
  return between;
}

/** "type script" may also be one word. */
const joined = (terms: readonly QueryTerm[]): QueryTerm[] =>
  terms.slice(1).flatMap((right, at) => {
    const left = terms[at]!;
    const isPlain = [left, right].every(({ word, parts }) => parts.length === 0 && /^[\p{L}\p{N}]{2,}$/u.test(word));
    if (left.common || right.common) return [];
    if (!isPlain || isPacked(left.word) || isPacked(right.word)) return [];
    return [{ word: left.word + right.word, parts: [], open: right.open, optional: true, common: false }];
  });
