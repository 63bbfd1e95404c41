import { NumberReader } from "../codec.js";
import { filesRead, prefixMark } from "../index-format.js";
import { type IndexFiles, placeIn } from "./index-files.js";
import { baseOf, hasHan, rootOf, singular, spellingsOf, stemOfPair } from "./vocabulary.js";

/** A term of one index that matches a query term. */
export interface FoundTerm {
  readonly term: string;
  /** Quality of the match: 1 for the word itself. */
  readonly factor: number;
  readonly isSynonym?: true;
  /** See `index-format.ts`. */
  readonly postings: string;
}

/**
 * Factor of the singular or plural, of another form, which may mean another thing ("logged" and "logs"), of a related word,
 * and of the other spelling in Chinese.
 */
const otherNumber = 0.85;
const otherForm = 0.7;
const relatedWord = 0.65;
const otherSpelling = 0.95;
/** "nextjs" and "next.js", "self-host" and "selfhost". */
const otherJoint = 0.95;

/** The word and its plural: much less than `findTerms` reads. One file has all words of the tables. */
export async function findWord(index: IndexFiles, word: string): Promise<FoundTerm[]> {
  if (index.firstTerms.length === 0) return [];
  const { words } = await index.tables();
  const isInTable = words.terms[placeIn(words.terms, word)] === word;
  const { terms, postings } = isInTable ? words : await index.terms(placeIn(index.firstTerms, word));
  const found: FoundTerm[] = [];
  for (let at = firstAtLeast(terms, word); terms[at]?.startsWith(word); at++) {
    const term = terms[at]!;
    // The tables also have words that the index lacks.
    if ((term === word || term === `${word}s`) && new NumberReader(postings[at]!).next() > 0)
      found.push({ term, factor: term === word ? 1 : otherNumber, postings: postings[at]! });
  }
  return found;
}

/** The terms of the word, or else of its other spellings: see `findSpelled`. */
export async function findTerms(index: IndexFiles, word: string, open: boolean): Promise<FoundTerm[]> {
  const own = await findSpelled(index, word, open);
  // A text in Chinese has one of the two.
  if (!hasHan(word) || own.some(({ term }) => term === word)) return own;
  const others = spellingsOf(word, await index.variants()).slice(1);
  const found = await Promise.all(others.map((each) => findSpelled(index, each, open)));
  return [...own, ...found.flat().map((term) => ({ ...term, factor: otherSpelling * term.factor }))];
}

/** The word, words that start with it if it is `open`, and its other forms, whose first letters are mostly the same. */
async function findSpelled(index: IndexFiles, word: string, open: boolean): Promise<FoundTerm[]> {
  if (index.firstTerms.length === 0) return [];
  const base = baseOf(word);
  const root = rootOf(word);
  const single = singular(word);
  const begin = root.slice(0, -1);
  const isLong = root.length > 3;
  const shared = [root, base, word].find((each) => word.startsWith(each))!;
  const ofPair = stemOfPair(word);
  const stem = ofPair ?? (open && word.length < 5 ? word : stemOf(shared));
  const found = new Map<string, FoundTerm>();
  const take = (term: string, postings: string, factor: number): void => {
    if (factor > (found.get(term)?.factor ?? 0)) found.set(term, { term, factor, postings });
  };
  const first = placeIn(index.firstTerms, stem);
  const last = placeIn(index.firstTerms, stem + prefixMark);
  if (open && last - first >= filesRead) {
    const best = await readTerm(index, word + prefixMark);
    if (best !== undefined) take(word + prefixMark, best, 0.6);
    const exact = await readTerm(index, word);
    if (exact !== undefined) take(word, exact, 1);
    if (best !== undefined) return [...found.values()];
  }
  const files = await Promise.all(
    Array.from({ length: Math.min(filesRead, last - first + 1) }, (_, i) => index.terms(first + i)),
  );
  for (const { terms, postings } of files) {
    await index.pause();
    for (let at = firstAtLeast(terms, stem); at < terms.length; at++) {
      const term = terms[at]!;
      if (!term.startsWith(stem)) break;
      if (term.endsWith(prefixMark)) continue;
      if (term === word) take(term, postings[at]!, 1);
      else if (isJoined(term, word)) take(term, postings[at]!, otherJoint);
      else if (baseOf(term) === base) take(term, postings[at]!, singular(term) === single ? otherNumber : otherForm);
      else if (isLong && term.startsWith(begin) && rootOf(term) === root) take(term, postings[at]!, relatedWord);
      else if (ofPair !== undefined && stemOfPair(term) === ofPair) take(term, postings[at]!, otherForm);
      if (open && term.startsWith(word)) take(term, postings[at]!, 0.3 + (0.6 * word.length) / term.length);
      const similarity = prefixSimilarity(word, term);
      // Without its last letter a short word is mostly another one: "logo" and "log".
      const isOther = word.length < 6 && term.length < word.length && !word.endsWith("s");
      if (!isOther && similarity >= (word.length < 6 ? 0.8 : 0.7))
        take(term, postings[at]!, 0.75 * similarity * similarity);
    }
  }
  // The word itself may be in a file after those that were read.
  if (!found.has(word) && last - first >= filesRead) {
    const exact = await readTerm(index, word);
    if (exact !== undefined) take(word, exact, 1);
  }
  return [...found.values()];
}

/** Whether two words differ in their joints alone. Most terms need no expression to tell. */
const isJoined = (term: string, word: string): boolean =>
  term.length !== word.length && Math.abs(term.length - word.length) < 4 && unjointed(term) === unjointed(word);
const unjointed = (word: string): string => word.replace(/[.-]/g, "");

async function readTerm(index: IndexFiles, term: string): Promise<string | undefined> {
  const { terms, postings } = await index.terms(placeIn(index.firstTerms, term));
  const at = firstAtLeast(terms, term);
  return terms[at] === term ? postings[at] : undefined;
}

/** Index of the first term that is not less than this one. */
function firstAtLeast(terms: readonly string[], term: string): number {
  const at = placeIn(terms, term);
  return terms[at]! < term ? at + 1 : at;
}

/** The prefix that other forms of a word share. */
const stemOf = (word: string): string =>
  word.length < 3 ? word : word.slice(0, Math.max(word.length < 6 ? 3 : 4, Math.floor(word.length * 0.55)));

/** 1 for equal words, 0 for words with different first letters. */
function prefixSimilarity(one: string, other: string): number {
  if (one.length < 3 || !/^[\p{L}\p{M}]+$/u.test(one)) return 0;
  const end = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < end && one[shared] === other[shared]) shared++;
  return (2 * shared) / (one.length + other.length);
}
