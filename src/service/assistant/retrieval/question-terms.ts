import { type ExpandedTerm, type FoundTerm, parseQuery, type QueryTerm } from "../../../bundle/search/index.js";
import type { AskedTerm, AskedWords, createWeigher, TextWords } from "./asked-words.js";

/** A question as the search reads it. */
export interface QuestionTerms {
  /** The terms to search for. */
  readonly terms: readonly ExpandedTerm[];
  /** Sum of the weights of all words that the question asks for, also of those that the site does not have. */
  readonly asked: number;
  /** The words of the site that match, without the question's own such as "how". */
  readonly words: AskedWords;
}

/** Number of words of a question that are looked up, and of the rarest of these that are searched for. */
const maxRead = 60;
const maxSearched = 12;
/** A word that is similar to a shorter one is a different word: "rice" and "price". */
const longWord = 7;
const shortMistyped = 0.2;
/** A word that is nowhere on the site counts more against an answer than one that a passage lacks. */
const unknownFactor = 1.3;
/** Below this quality a match has a similar spelling at most: "break" for "bread". A synonym has it. */
const similarWord = 0.5;
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
  textWords: TextWords,
  weigh: ReturnType<typeof createWeigher>,
): Promise<QuestionTerms> {
  const parsed = withoutPhrases(parseQuery(text, maxRead));
  const expanded = await Promise.all(parsed.map(expand));
  const unknown = Math.log(1 + entries);
  const words: AskedTerm[] = [];
  let asked = 0;
  for (const term of expanded) {
    if (term.query.optional) continue;
    asked += (!isOtherWord(term) && term.rarity) || unknownFactor * unknown;
    words.push(askedTerm(term, textWords));
  }
  return { terms: rarest(expanded), asked, words: weigh(words) };
}

const isOtherWord = (term: ExpandedTerm): boolean =>
  term.query.word.length < longWord && (term.isMistyped || bestFactor(term) < similarWord);

const bestFactor = ({ whole, parts }: ExpandedTerm): number =>
  Math.max(0, ...[...whole, ...parts.flat()].flatMap((found) => found.map(({ factor }) => factor)));

/** Cached as long as the term exists. */
const askedTerms = new WeakMap<ExpandedTerm, AskedTerm>();

/** The weight of a word is its rarity, less for a match that is not exact. */
function askedTerm(term: ExpandedTerm, textWords: TextWords): AskedTerm {
  const cached = askedTerms.get(term);
  if (cached !== undefined) return cached;
  const { rarity, whole, parts } = term;
  const isOther = isOtherWord(term);
  const words = new Map<number, number>();
  const take = (found: FoundTerm): void => {
    const quality = isOther ? shortMistyped : found.factor;
    const weight = rarity * (quality >= sameWord ? 1 : quality);
    const number = textWords.numberOf(found.term);
    if (weight > (words.get(number) ?? 0)) words.set(number, weight);
  };
  for (const ofIndex of whole) ofIndex.forEach(take);
  for (const ofIndex of parts) for (const ofPart of ofIndex) ofPart.forEach(take);
  const made = { numbers: [...words.keys()], weights: [...words.values()] };
  askedTerms.set(term, made);
  return made;
}

/**
 * "how" and "do" are in every section, so they cost more than they tell. "difference" and "happens" are in few, but
 * say nothing about the subject unless the question has few other words.
 */
function withoutPhrases(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const telling = terms.filter(({ common }) => !common);
  const subject = telling.filter(({ word, optional }) => !optional && !phrases.has(word));
  return subject.length < minSubject ? telling : telling.filter(({ word }) => !phrases.has(word));
}
const minSubject = 2;
const phrases = new Set(
  (
    "able again already also another come coming comes did difference different does doing else even ever explain give gives " +
    "given go goes going got happen happened happens he i'm instead kind like may mean means might more most much must " +
    "myself never often please really say shall she since something still such tell them thing things think too try want " +
    "whether while whose would yes yet"
  ).split(" "),
);

/** The search compares at most twelve words: of a long question, the rarest ones on the site. */
function rarest(expanded: readonly ExpandedTerm[]): readonly ExpandedTerm[] {
  if (expanded.length <= maxSearched) return expanded;
  const searched = expanded.filter(({ query, rarity }) => !query.optional && rarity > 0);
  const chosen = new Set(searched.sort((a, b) => b.rarity - a.rarity).slice(0, maxSearched));
  return chosen.size === 0 ? expanded.slice(0, maxSearched) : expanded.filter((term) => chosen.has(term));
}
