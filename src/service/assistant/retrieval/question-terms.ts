import * as search from "../../../bundle/search/index.js";
import { languageWordsIn, wordsOfLanguage } from "../question.js";
import type { AskedTerm, AskedWords, createWeigher, TextWords } from "./asked-words.js";

/** A question as the search reads it. */
export interface QuestionTerms {
  /** The terms to search for. */
  readonly terms: readonly search.ExpandedTerm[];
  /** Sum of the weights of all words that the question asks for, also of those that the site does not have. */
  readonly asked: number;
  /** Mean rarity of these words: 1 for words that are in one section each of a large site, above for words that the site lacks. */
  readonly strange: number;
  /** The site has nothing in the language of the question: only words that it shares are asked for. */
  readonly isForeign: boolean;
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
/** Pairs of characters that the site does not have are mostly the end of one word and the beginning of the next. */
const unknownPair = 0.6;
/** On a smaller site, a word that only one section has is no rare word of the language. */
const usualEntries = 1000;
/** Below this quality a match has a similar spelling at most: "break" for "bread". A synonym has it. */
const similarWord = 0.5;
/** From this quality on, a match is a form of the same word. */
const sameWord = 0.8;
/** A synonym finds a section, but is less a sign that it answers the question. */
const ofSynonym = 0.7;

/** The indexes that a question is read for. */
export interface AskedIndexes {
  /** Number of their entries. */
  readonly entries: number;
  /** The language of the question; undefined if its words do not tell. */
  readonly spoken?: string;
  /** Whether the site has the language; undefined if it does not say which languages it has. */
  readonly hasSpoken?: boolean;
  readonly synonyms: search.Synonyms;
  /** Finds the terms of the indexes that match. */
  readonly expand: (term: search.QueryTerm) => Promise<search.ExpandedTerm>;
}

/** @param text with a mark or blank at its end: the last word is complete. */
export async function readQuestion(
  text: string,
  indexes: AskedIndexes,
  textWords: TextWords,
  weigh: ReturnType<typeof createWeigher>,
): Promise<QuestionTerms> {
  const parsed = withoutPhrases(search.parseQuery(text, indexes.synonyms, maxRead));
  const expanded = await Promise.all(parsed.map(indexes.expand));
  const unknown = Math.log(1 + indexes.entries);
  const tells = indexes.spoken === undefined ? [] : languageWordsIn(text, indexes.spoken);
  const isForeign = await isOtherLanguage(expanded, tells, indexes);
  // Chinese and Japanese words have English synonyms.
  const isShared = (term: search.ExpandedTerm): boolean =>
    !term.isMistyped &&
    (bestFactor(term) >= sameWord || (search.isPacked(term.query.word) && term.rarity > 0)) &&
    !tells.includes(term.query.word);
  const words: AskedTerm[] = [];
  const most = Math.max(unknown, Math.log(1 + usualEntries));
  let asked = 0;
  let rarities = 0;
  for (const term of expanded) {
    if (term.query.optional) continue;
    if (isForeign && !isShared(term)) continue;
    const rarity = !isOtherWord(term) && term.rarity;
    const ofUnknown = search.isPair(term.query.word) ? unknownPair : unknownFactor;
    asked += rarity || ofUnknown * unknown;
    rarities += rarity || ofUnknown * most;
    words.push(askedTerm(term, textWords));
  }
  const searched = isForeign ? expanded.filter(isShared) : expanded;
  const strange = words.length === 0 ? 0 : rarities / words.length / most;
  return { terms: rarest(searched), asked, words: weigh(words), strange, isForeign };
}

/** The words that tell the language of a question are on that share of a site's sections, as a power of their number. */
const ofFrequent = 0.6;

/**
 * Whether the site has nothing in the language of the question. If it does not name its languages: whether it lacks
 * most of the words that tell the language ("wie", "ist") and the others of it, or all words in the script.
 */
async function isOtherLanguage(
  expanded: readonly search.ExpandedTerm[],
  tells: readonly string[],
  { entries, spoken, hasSpoken, expand }: AskedIndexes,
): Promise<boolean> {
  if (spoken === undefined || hasSpoken !== undefined) return hasSpoken === false;
  if (tells.length === 0) {
    const written = expanded.filter(({ query }) => query.word > "\u024f");
    return written.length > 0 && written.every(({ rarity }) => rarity === 0);
  }
  const countFrequent = async (words: readonly string[]): Promise<number> => {
    const terms = words.map((word) => expand({ word, parts: [], open: false, optional: false, common: true }));
    const isFrequent = (term: search.ExpandedTerm): boolean =>
      bestFactor(term) >= 1 && term.rarity <= ofFrequent * Math.log(1 + entries);
    return (await Promise.all(terms)).filter(isFrequent).length;
  };
  if (2 * (await countFrequent(tells.filter((word) => !englishToo.has(word)))) > tells.length) return false;
  // A small site may lack "how" and "do", but has "the", "is" and "to". Languages share a few such words.
  return (await countFrequent(wordsOfLanguage(spoken))) < leastOfLanguage;
}
const leastOfLanguage = 4;
/** Words of other languages that English texts often have: "was" of German, "com" of addresses. */
const englishToo = new Set("was die man com me son par plus".split(" "));

const isOtherWord = (term: search.ExpandedTerm): boolean =>
  term.query.word.length < longWord && (term.isMistyped || bestFactor(term) < similarWord);

const bestFactor = ({ whole, parts }: search.ExpandedTerm): number =>
  Math.max(0, ...[...whole, ...parts.flat()].flatMap((found) => found.map(({ factor }) => factor)));

/** Cached as long as the term exists. */
const askedTerms = new WeakMap<search.ExpandedTerm, AskedTerm>();

/** The weight of a word is its rarity, less for a match that is not exact. */
function askedTerm(term: search.ExpandedTerm, textWords: TextWords): AskedTerm {
  const cached = askedTerms.get(term);
  if (cached !== undefined) return cached;
  const { rarity, whole, parts } = term;
  const isOther = isOtherWord(term);
  const words = new Map<number, number>();
  const take = (found: search.FoundTerm): void => {
    const quality = isOther ? shortMistyped : found.isSynonym ? ofSynonym * found.factor : found.factor;
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
 * Without "how" and "do": they are in every section, so they cost more than they tell. Everyday words such as "happens"
 * are left out too if enough others tell the subject.
 */
function withoutPhrases(terms: readonly search.QueryTerm[]): readonly search.QueryTerm[] {
  const telling = terms.filter(({ common }) => !common);
  const subject = telling.filter(({ word }) => !search.isEverydayWord(word));
  return subject.filter(({ optional }) => !optional).length < minSubject ? telling : subject;
}
const minSubject = 2;

/** The search compares at most twelve words: of a long question, the rarest ones on the site. */
function rarest(expanded: readonly search.ExpandedTerm[]): readonly search.ExpandedTerm[] {
  const most = expanded.some(({ query }) => search.isPair(query.word)) ? 2 * maxSearched : maxSearched;
  if (expanded.length <= most) return expanded;
  const searched = expanded.filter(({ query, rarity }) => !query.optional && rarity > 0);
  const chosen = new Set(searched.sort((a, b) => b.rarity - a.rarity).slice(0, most));
  return chosen.size === 0 ? expanded.slice(0, most) : expanded.filter((term) => chosen.has(term));
}
