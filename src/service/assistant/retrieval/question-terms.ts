import { type ExpandedTerm, type FoundTerm, parseQuery, type QueryTerm } from "../../../bundle/search/index.js";
import type { TextWords } from "./text-words.js";

/** A question as the search reads it. */
export interface QuestionTerms {
  /** What is searched for. */
  readonly terms: readonly ExpandedTerm[];
  /** Sum of the weights of all words that the question asks for, also of those that the site does not have. */
  readonly asked: number;
  /** The words of the site that match, without the question's own such as "how". */
  readonly words: ReadonlyMap<string, AskedWord>;
}

export interface AskedWord {
  /** Which word of the question it matches: forms of one word count once. */
  readonly term: number;
  /** The rarity of the word, less for a match that is not exact. */
  readonly weight: number;
}

/** Words of a question that are looked up, and the rarest of these that are searched for. */
const mostRead = 60;
const mostSearched = 12;
/** Of a short word that the site does not have, a similar word is another word: "rice" and "price". */
const longWord = 7;
const shortMistyped = 0.2;
/** A word that the site does not have says more against an answer than one that a passage lacks. */
const unknownFactor = 1.3;
/** From this quality on, a match is a form of the same word. */
const sameWord = 0.8;

/**
 * @param text with a mark or blank at its end: the last word is complete.
 * @param entries of the indexes that are searched. @param expand finds the terms of these indexes that match.
 */
export async function readQuestion(
  text: string,
  entries: number,
  expand: (term: QueryTerm) => Promise<ExpandedTerm>,
): Promise<QuestionTerms> {
  const parsed = withoutPhrases(parseQuery(text, mostRead));
  const expanded = await Promise.all(parsed.map(expand));
  const unknown = Math.log(1 + entries);
  const words = new Map<string, AskedWord>();
  let asked = 0;
  for (const [term, { query, rarity, whole, parts, isMistyped }] of expanded.entries()) {
    if (query.optional) continue;
    const isOther = isMistyped && query.word.length < longWord;
    asked += (!isOther && rarity) || unknownFactor * unknown;
    const take = (found: FoundTerm): void => {
      const quality = isOther ? shortMistyped : found.factor;
      const weight = rarity * (quality >= sameWord ? 1 : quality);
      if (weight > (words.get(found.term)?.weight ?? 0)) words.set(found.term, { term, weight });
    };
    for (const ofIndex of whole) ofIndex.forEach(take);
    for (const ofIndex of parts) for (const ofPart of ofIndex) ofPart.forEach(take);
  }
  return { terms: rarest(expanded), asked, words };
}

/**
 * "how" and "do" are in every section: they cost more than they tell. "difference" and "happens" are in few, but say nothing
 * of the subject, unless little else is asked.
 */
function withoutPhrases(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const telling = terms.filter(({ common }) => !common);
  const subject = telling.filter(({ word, optional }) => !optional && !phrases.has(word));
  return subject.length < leastSubject ? telling : telling.filter(({ word }) => !phrases.has(word));
}
const leastSubject = 2;
const phrases = new Set(
  (
    "able again already also another come coming comes did difference different does doing else even ever explain give gives " +
    "given go goes going got happen happened happens he i'm instead kind like may mean means might more most much must " +
    "myself never often please really say shall she since something still such tell them thing things think too try want " +
    "whether while whose would yes yet"
  ).split(" "),
);

/** The search compares at most twelve words: of a long question the rarest that the site has. */
function rarest(expanded: readonly ExpandedTerm[]): readonly ExpandedTerm[] {
  if (expanded.length <= mostSearched) return expanded;
  const own = expanded.filter(({ query, rarity }) => !query.optional && rarity > 0);
  const kept = new Set(own.sort((a, b) => b.rarity - a.rarity).slice(0, mostSearched));
  return kept.size === 0 ? expanded.slice(0, mostSearched) : expanded.filter((term) => kept.has(term));
}

/** Sum of the weights of the asked words that texts have. */
export const weightIn = (texts: readonly string[], words: QuestionTerms["words"], textWords: TextWords): number =>
  weightOf(
    texts.map((text) => textWords.of(text)),
    words,
    textWords,
  );

/** @param lists the words of texts. */
export function weightOf(
  lists: readonly (readonly number[])[],
  words: QuestionTerms["words"],
  textWords: TextWords,
): number {
  const { isMaybe, byNumber, found } = numbered(words, textWords);
  /** In the order in which they are found: another order of the sum could differ in its last bit. */
  const order: number[] = [];
  const mask = isMaybe.length - 1;
  // An iterator would make an object for each word.
  for (const list of lists)
    for (let at = 0; at < list.length; at++) {
      const number = list[at]!;
      if (isMaybe[number & mask] === 0) continue;
      const asked = byNumber.get(number);
      if (asked === undefined || asked.weight <= found[asked.term]!) continue;
      if (found[asked.term] === 0) order.push(asked.term);
      found[asked.term] = asked.weight;
    }
  let sum = 0;
  for (const term of order) {
    sum += found[term]!;
    found[term] = 0;
  }
  return sum;
}

/** The words of a question by their numbers: few words of a text are asked for, and most others need no search in a map. */
interface NumberedWords {
  readonly textWords: TextWords;
  readonly byNumber: ReadonlyMap<number, AskedWord>;
  readonly isMaybe: Uint8Array;
  /** The weight that texts have of each term; all 0 between two sums. */
  readonly found: Float64Array;
}
const numberedWords = new WeakMap<QuestionTerms["words"], NumberedWords>();

function numbered(words: QuestionTerms["words"], textWords: TextWords): NumberedWords {
  const known = numberedWords.get(words);
  if (known?.textWords === textWords) return known;
  const byNumber = new Map<number, AskedWord>();
  const isMaybe = new Uint8Array(1024);
  let terms = 0;
  for (const [word, asked] of words) {
    const number = textWords.numberOf(word);
    byNumber.set(number, asked);
    isMaybe[number & (isMaybe.length - 1)] = 1;
    terms = Math.max(terms, asked.term + 1);
  }
  const made = { textWords, byNumber, isMaybe, found: new Float64Array(terms) };
  numberedWords.set(words, made);
  return made;
}
