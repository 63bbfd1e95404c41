import { NumberReader } from "../codec.js";
import { type FoundTerm, findTerms, findWord } from "./find-terms.js";
import type { CommonWord, IndexFiles } from "./index-files.js";
import { isName, type QueryTerm } from "./query.js";
import { isPacked, type Synonyms, stemOfPair } from "./vocabulary.js";

/** A term of the query with the terms of the index that match it. */
export interface ExpandedTerm {
  readonly query: QueryTerm;
  /** Higher for terms that fewer entries have. */
  readonly rarity: number;
  /** For each index: an entry must have one of these terms. */
  readonly whole: readonly (readonly FoundTerm[])[];
  /** For each index: instead, an entry may have one of these terms for each part of the word. */
  readonly parts: readonly (readonly (readonly FoundTerm[])[])[];
  /** It is a name such as `getUserById`, and the site has it. */
  readonly isKnownName: boolean;
  /** The site does not have it: the terms are words with a similar spelling. */
  readonly isMistyped: boolean;
  /** The words that a page may have instead. */
  readonly synonyms: readonly string[];
}

/** The words to highlight in a result. */
export interface Marks {
  readonly words: ReadonlySet<string>;
  /** Every word that starts with one of these is highlighted too. */
  readonly prefixes: readonly string[];
}

/** Terms below this factor are probably other words. */
const sure = 0.3;
/** Terms with at least this factor are the word itself or its plural. */
const sameWord = 0.85;
/** Factor of the synonyms of a word. */
const ofSynonym = 0.7;
/** Factor of the synonyms of a word that the site uses, too: it needs them less. */
const ofSynonymOfUsedWord = 0.6;
/** Most synonyms of a word; of a Chinese or Japanese one, which has English ones too. */
const maxSynonyms = 3;
const maxPackedSynonyms = 5;

/** The synonyms of each word that any of the indexes has. */
export async function synonymsIn(indexes: readonly IndexFiles[]): Promise<Synonyms> {
  const tables = await Promise.all(indexes.map((index) => index.tables()));
  return tables.length === 1
    ? tables[0]!.synonyms
    : (word) => [...new Set(tables.flatMap(({ synonyms }) => synonyms(word)))];
}

export async function expandTerm(
  indexes: readonly IndexFiles[],
  query: QueryTerm,
  synonymsOf: Synonyms,
): Promise<ExpandedTerm> {
  const { word, parts, open, optional, common } = query;
  const packed = isPacked(word);
  // Grammar would read a file for each pair of characters. Of a longer word the index has the pairs only.
  const isLookedUp = !packed || (!common && parts.length === 0);
  const exact = await Promise.all(
    indexes.map((index) => {
      if (!isLookedUp) return [];
      return common && !open ? findWord(index, word) : findTerms(index, word, open);
    }),
  );
  // "消せる" and "消す" have the synonyms of "消".
  const stem = stemOfPair(word) ?? "";
  const related = common ? [] : [word, ...(packed ? parts.slice(0, 1) : []), stem].flatMap(synonymsOf);
  const synonyms = await findSynonyms(indexes, related.slice(0, packed ? maxPackedSynonyms : maxSynonyms));
  const isMistyped =
    !optional &&
    isLookedUp &&
    (!common || open) &&
    parts.length === 0 &&
    synonyms.length === 0 &&
    !exact.some((terms) => terms.some(isSure));
  const own = isMistyped ? await Promise.all(indexes.map((index) => mistyped(index, word, open))) : exact;
  const inParts = await Promise.all(
    indexes.map((index) =>
      Promise.all(parts.map((part, at) => findTerms(index, part, open && at === parts.length - 1))),
    ),
  );
  const rarity = rarityOf(indexes, word, own, inParts) || Math.max(0, ...synonyms.map((each) => each.rarity));
  const factor = own.flat().some((term) => term.factor >= sameWord) ? ofSynonymOfUsedWord : ofSynonym;
  const whole = own.map((terms, at) => [
    ...terms,
    // A frequent synonym says no more than its own rarity.
    ...synonyms.flatMap((each) =>
      weakened(each.terms[at]!, factor * Math.min(1, each.rarity / rarity)).map(
        (term): FoundTerm => ({ ...term, isSynonym: true }),
      ),
    ),
  ]);
  const isKnownName =
    synonyms.length === 0 &&
    isName(word, parts.length) &&
    whole.some((terms) => terms.some(({ term }) => term === word));
  return { query, whole, parts: inParts, rarity, isKnownName, isMistyped, synonyms: related };
}

const isSure = ({ factor }: FoundTerm): boolean => factor > sure;

/** Terms with a similar spelling. */
async function mistyped(index: IndexFiles, word: string, open: boolean): Promise<FoundTerm[]> {
  const words = await index.commonWords();
  await index.pause();
  const near = nearWords(word, words, open);
  const found = await Promise.all(
    near.map(async (each) => {
      const terms = await findTerms(index, each.word, false);
      return weakened(terms, each.distance > 1 ? 0.5 : 0.65);
    }),
  );
  return found.flat();
}

/** The synonyms that the indexes have, with the terms of each index. */
async function findSynonyms(indexes: readonly IndexFiles[], synonyms: readonly string[]) {
  const found = await Promise.all(
    synonyms.map(async (synonym) => {
      const terms = await Promise.all(indexes.map((index) => findWord(index, synonym)));
      return { terms, rarity: rarityOf(indexes, synonym, terms, []) };
    }),
  );
  return found.filter(({ rarity }) => rarity > 0);
}

const weakened = (terms: readonly FoundTerm[], by: number): FoundTerm[] =>
  terms.map((term) => ({ ...term, factor: term.factor * by }));

/** From the entries that have the word itself; for the form of a verb, or else, from those that have its expanded terms. */
function rarityOf(
  indexes: readonly IndexFiles[],
  word: string,
  whole: ExpandedTerm["whole"],
  parts: ExpandedTerm["parts"],
): number {
  const all = indexes.reduce((sum, index) => sum + index.entryCount, 0);
  const terms = whole.flat();
  const exact = stemOfPair(word) === undefined ? terms.filter(({ term }) => term === word) : [];
  let count = entriesWith(exact.length > 0 ? exact : terms);
  if (count === 0) count = parts.reduce((sum, each) => sum + Math.min(...each.map(entriesWith)), 0);
  return count === 0 || !Number.isFinite(count) ? 0 : Math.log(1 + all / Math.min(all, count));
}

const entriesWith = (terms: readonly FoundTerm[]): number =>
  terms.reduce((sum, { postings }) => sum + new NumberReader(postings).next(), 0);

/** Words of questions and frequent words are not highlighted next to others: they are everywhere. */
export function marksOf(expanded: readonly ExpandedTerm[]): Marks {
  const isOnlyCommon = expanded.every(({ query }) => query.common);
  const words = new Set<string>();
  const prefixes: string[] = [];
  const rarest = Math.max(...expanded.map(({ rarity }) => rarity));
  for (const { query, whole, parts, rarity } of expanded) {
    if (rarity < rarest / 4 || (query.common && !isOnlyCommon)) continue;
    if (query.open) prefixes.push(query.word);
    words.add(query.word);
    for (const found of [...whole.flat(), ...parts.flat(2)]) {
      const isOnlyBegun = query.open && found.term.startsWith(query.word);
      if (isSure(found) && !isOnlyBegun) words.add(found.term);
    }
  }
  return { words, prefixes };
}

/** A word similar to the typed one, and its edit distance. */
interface NearWord {
  readonly word: string;
  readonly distance: number;
}

const maxNear = 4;
const maxDistance = 2;
/** Share of the shorter of two words that the other begins with too. */
const ofStem = 0.7;

/**
 * Known words that a mistyped word may stand for: with one letter inserted, deleted, replaced, or two swapped, and in
 * longer words two such mistakes, or else words with the same stem. Nearest first, then the most frequent.
 *
 * @param open the typed word may be unfinished.
 */
export function nearWords(typed: string, words: readonly CommonWord[], open: boolean): NearWord[] {
  const allowed = typed.length < 4 ? 0 : typed.length < 8 ? 1 : maxDistance;
  if (allowed === 0) return [];
  const letters = lettersOf(typed);
  const found: (NearWord & { readonly frequency: number })[] = [];
  for (const { word, frequency } of words) {
    if (word.length < typed.length - allowed) continue;
    if (!open && word.length > typed.length + allowed) continue;
    // Each letter missing from the word is at least one mistake.
    if (bitsOf(letters & ~lettersOf(word)) > allowed) continue;
    const distance = distanceOf(typed, word, allowed, open);
    if (distance <= allowed) found.push({ word, distance, frequency });
  }
  const firstLetter = (word: string): number => Number(word[0] !== typed[0]);
  found.sort(
    (a, b) => a.distance - b.distance || firstLetter(a.word) - firstLetter(b.word) || b.frequency - a.frequency,
  );
  if (found.length === 0) return relatives(typed, words);
  const nearest = found[0]!.distance;
  return found.filter(({ distance }) => distance === nearest).slice(0, maxNear);
}

/** Words with the stem of another, such as "invitar" of "invitaciones", and compounds with it or in it. */
function relatives(typed: string, words: readonly CommonWord[]): NearWord[] {
  const found = words.flatMap(({ word }) => {
    const shorter = Math.min(word.length, typed.length);
    let shared = 0;
    while (shared < shorter && word[shared] === typed[shared]) shared++;
    if (typed.endsWith(word) || word.endsWith(typed)) shared = shorter;
    return shared > 4 && shared >= ofStem * shorter ? [{ word, distance: maxDistance, shared }] : [];
  });
  return found.sort((a, b) => b.shared - a.shared).slice(0, maxNear);
}

/** The letters of a word as a set of 32 bits. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

function bitsOf(number: number): number {
  let count = 0;
  for (let left = number; left !== 0; left &= left - 1) count++;
  return count;
}

/** Edit distance, at most `allowed + 1`. With `open`, the distance to the nearest prefix of `word`. */
export function distanceOf(typed: string, word: string, allowed: number, open: boolean): number {
  const width = Math.min(word.length, typed.length + allowed);
  let beforeLast: number[] = [];
  let last = Array.from({ length: width + 1 }, (_, i) => i);
  for (let i = 1; i <= typed.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= width; j++) {
      const isSame = typed[i - 1] === word[j - 1];
      let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1])
        distance = Math.min(distance, beforeLast[j - 2]! + 1);
      row.push(distance);
      least = Math.min(least, distance);
    }
    if (least > allowed) return allowed + 1;
    beforeLast = last;
    last = row;
  }
  return open ? Math.min(...last) : width < word.length ? allowed + 1 : last[width]!;
}
