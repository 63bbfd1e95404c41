import { NumberReader } from "../codec.js";
import { weightAt, weightSteps } from "../index-format.js";
import type { ExpandedTerm } from "./expand-term.js";
import type { FoundTerm } from "./find-terms.js";
import type { IndexFiles } from "./index-files.js";
import { isEverydayWord, isPacked, rootOf, stemOfPair } from "./vocabulary.js";

/** Weight of a word in the title of a page for the sections of the page. */
const fromTitle = 0.25;
/** Share of the score of the whole page in the score of each of its entries. */
const fromPage = 0.15;
/** Share of the weights of a word in the other entries of a page in the score of the whole page, and their highest sum. */
const fromOthers = 0.35;
const maxOtherEntries = 3;
/** Factor of the words of a question: "how", "do". */
const ofCommon = 0.25;
/** Factor of a pair such as "戻し", which is found in all forms of its word and before particles. */
const ofStem = 0.8;
/** Factor of the words that everybody uses about everything. */
const ofEveryday = 0.45;
/** Factor of pages of another product. */
const ofOtherProduct = 0.2;
/** What a name typed whole adds. Its parts alone count less than that, even in a title. */
const ofName = 0.6;
const ofNameParts = 0.1;
/** Factor of the parts of a word that the site has only in parts. */
const ofParts = 0.9;
/** Share of the query that a place has which has only words that need not be there: better than no result. */
const leastShare = 0.05;
/** The factor of an entry is higher by this if its title or heading has all words of the query. */
const ofTitled = 0.6;
/**
 * How much each sign of a section counts for a sentence, as a power or, of shares, as a power of e: its own score, the three
 * best of its page, the weights of the words on the page, the number of sections, and the shares of the query that the
 * section and its page have. Fitted to judged questions of eleven sites, each site by the questions of the others.
 */
const signs = { own: 0.14, best: 0.47, page: 0.41, sections: -0.27, ofSection: 0.33, ofPage: 0.95 } as const;
/** A query with as many words besides those of questions is a sentence. */
const leastOfSentence = 3;
export const isSentence = (expanded: readonly ExpandedTerm[]): boolean =>
  expanded.filter(({ query }) => !query.optional && !query.common).length >= leastOfSentence;

/** How much of a word is there where an entry has a term of this factor: of a synonym less than of a form of the word. */
const likeness = (factor: number): number => Math.sqrt(Math.min(1, factor / 0.7));

/** Terms below this quality are other words than the query's. */
const sameWord = 0.6;
/** The weight of each step of `weightAt`. */
const weights = Float32Array.from({ length: weightSteps }, (_, value) => weightAt(value));

/** Valid until the next query of the index. */
export interface EntryScores {
  readonly scores: Float32Array;
  /** Without what the rest of the page adds: equal for equal sections of different pages. */
  readonly own: Float32Array;
}

/**
 * The score of each entry; 0 without a match. Entries with all words rank above entries with some, rare words above frequent
 * ones, titles above text. What is missing in a section may be elsewhere on its page.
 *
 * @param at which of the indexes it is. @param product of the reader; 0 for none.
 */
export function scoreEntries(
  index: IndexFiles,
  at: number,
  expanded: readonly ExpandedTerm[],
  product: number,
): EntryScores {
  const { pageOf, productOf, firstOf } = index;
  const { entries, pages, titled, ofPages, own, scores } = emptySums(index);
  const isPhrase = expanded.filter(({ query }) => !query.optional).length > 1;
  let asked = 0;
  for (const term of expanded) {
    const { rarity } = term;
    const importance = importanceOf(term, expanded.length);
    const mass = term.query.optional ? 0 : importance * (rarity === 0 ? 1 : rarity);
    asked += mass;
    const found = matchesOf(index, at, term);
    add(entries, found.entries, found.ofEntries, importance * rarity, found.likeEntries, mass);
    add(pages, found.pages, found.ofPages, importance * rarity, found.likePages, mass);
    if (isPhrase && !term.isKnownName) for (let i = 0; i < found.titled.length; i++) titled[found.titled[i]!]! += mass;
  }
  const isLong = isSentence(expanded);
  const shareOf = asked === 0 ? 0 : 1 / asked;
  for (let entry = 0; entry < own.length; entry++) {
    const score = entries.scores[entry]!;
    if (score === 0) continue;
    const share = asked === 0 ? 1 : Math.max(leastShare, entries.covered[entry]! * shareOf);
    const inTitle = titled[entry]! * shareOf;
    own[entry] = score * share * share * (1 + ofTitled * inTitle * inTitle);
  }
  for (let page = 0; page < ofPages.length; page++) {
    const sum = pages.scores[page]!;
    if (sum === 0) continue;
    const share = asked === 0 ? 1 : Math.max(leastShare, pages.covered[page]! * shareOf);
    const [first, end] = [firstOf[page]!, firstOf[page + 1]!];
    ofPages[page] = isLong
      ? (1 + sumOfBest(own, first, end)) ** signs.best *
        (1 + sum) ** signs.page *
        (1 + end - first) ** signs.sections *
        Math.exp(signs.ofPage * share)
      : sum * share * share;
  }
  for (let entry = 0; entry < scores.length; entry++) {
    const score = own[entry]!;
    if (score === 0) continue;
    const page = pageOf[entry]!;
    const near = productOf[page] === product || productOf[page] === 0 || product === 0 ? 1 : ofOtherProduct;
    scores[entry] = isLong
      ? near * ofPages[page]! * (1 + score) ** signs.own * Math.exp(signs.ofSection * entries.covered[entry]! * shareOf)
      : near * (score + fromPage * ofPages[page]!);
  }
  return { scores, own };
}

/** The sum of the three highest numbers from one place to another. */
function sumOfBest(numbers: Float32Array, from: number, to: number): number {
  let [first, second, third] = [0, 0, 0];
  for (let at = from; at < to; at++) {
    const number = numbers[at]!;
    if (number > first) [first, second, third] = [number, first, second];
    else if (number > second) [second, third] = [number, second];
    else if (number > third) third = number;
  }
  return first + second + third;
}

/** How much each word of a sentence counts, by what it shares with related words. */
export function weightsOfRoots(expanded: readonly ExpandedTerm[]): RootWeights {
  const weights = new Map<string, { readonly term: number; readonly weight: number }>();
  let all = 0;
  for (const [term, each] of expanded.entries()) {
    const { query, rarity, synonyms } = each;
    if (query.optional) continue;
    const weight = importanceOf(each, expanded.length) * (rarity || 1);
    all += weight;
    if (query.common) continue;
    const put = (word: string, own: number): void => {
      const root = rootOf(word);
      if (own > (weights.get(root)?.weight ?? 0)) weights.set(root, { term, weight: own });
    };
    put(query.word, weight);
    for (const word of [...query.parts, ...synonyms]) put(word, weight / 2);
  }
  return { weights, all };
}

export interface RootWeights {
  readonly weights: ReadonlyMap<string, { readonly term: number; readonly weight: number }>;
  readonly all: number;
}

function importanceOf({ query }: ExpandedTerm, count: number): number {
  if (query.common) return ofCommon;
  const { word, open } = query;
  if (isEverydayWord(word)) return ofEveryday;
  if (stemOfPair(word) !== undefined) return ofStem;
  // One or two letters of an unfinished word say little. Two characters of Chinese are a word.
  return open && word.length < 3 && !isPacked(word) && count > 1 ? 0.2 : 1;
}

/** The scores of the terms, and how much of the query they cover: places that lack a word lose. */
interface Sums {
  readonly scores: Float32Array;
  readonly covered: Float32Array;
}
const sumsOf = (count: number): Sums => ({ scores: new Float32Array(count), covered: new Float32Array(count) });

function add(
  { scores, covered }: Sums,
  places: Uint32Array,
  found: Float32Array | Float64Array,
  weight: number,
  like: Float32Array,
  mass: number,
): void {
  for (let i = 0; i < places.length; i++) {
    const at = places[i]!;
    scores[at]! += weight * found[i]!;
    covered[at]! += mass * like[i]!;
  }
}

interface QuerySums extends EntryScores {
  readonly entries: Sums;
  readonly pages: Sums;
  /** How much of the query is in the title of each entry. */
  readonly titled: Float32Array;
  readonly ofPages: Float64Array;
}
const sumsByIndex = new WeakMap<IndexFiles, QuerySums>();

/** Reused by all queries of an index, because a service runs many. */
function emptySums(index: IndexFiles): QuerySums {
  const { entryCount, productOf } = index;
  const sums = sumsByIndex.get(index) ?? {
    entries: sumsOf(entryCount),
    pages: sumsOf(productOf.length),
    titled: new Float32Array(entryCount),
    ofPages: new Float64Array(productOf.length),
    own: new Float32Array(entryCount),
    scores: new Float32Array(entryCount),
  };
  sumsByIndex.set(index, sums);
  const { entries, pages, titled, ofPages, own, scores } = sums;
  for (const numbers of [entries.scores, entries.covered, pages.scores, pages.covered, titled, ofPages, own, scores])
    numbers.fill(0);
  return sums;
}

/** The entries and pages that have a term of the query, ascending, and its weight in each. */
interface Matches {
  readonly entries: Uint32Array;
  readonly ofEntries: Float32Array;
  readonly pages: Uint32Array;
  readonly ofPages: Float64Array;
  /** How like the word of the query the found one is: see `likeness`. */
  readonly likeEntries: Float32Array;
  readonly likePages: Float32Array;
  /** The entries with the word in their own title. */
  readonly titled: Uint32Array;
}

/** Those of each index, kept as long as the term is. */
const matchesByTerm = new WeakMap<ExpandedTerm, WeakMap<IndexFiles, Matches>>();

/** What `scoreEntries` needs of a term. Most of its time is here, so a search can prepare its terms one by one. */
export function matchesOf(index: IndexFiles, at: number, term: ExpandedTerm): Matches {
  const known = matchesByTerm.get(term)?.get(index);
  if (known !== undefined) return known;
  const ofTerm = matchesByTerm.get(term) ?? new WeakMap<IndexFiles, Matches>();
  matchesByTerm.set(term, ofTerm);
  const matches = findMatches(index, at, term);
  ofTerm.set(index, matches);
  return matches;
}

function findMatches(index: IndexFiles, at: number, term: ExpandedTerm): Matches {
  const { pageOf, productOf } = index;
  const inTitle = new Set<number>();
  const like = new Float32Array(index.entryCount);
  const found = findEntries(index, at, term, inTitle, like);
  const best = new Float32Array(productOf.length);
  const sums = new Float32Array(productOf.length);
  // Arrays of numbers that grow, and conversions of them, take several times as long.
  let entryCount = 0;
  let pageCount = 0;
  for (let entry = 0, last = -1; entry < found.length; entry++) {
    if (found[entry]! === 0) continue;
    entryCount++;
    if (pageOf[entry]! !== last) pageCount++;
    last = pageOf[entry]!;
  }
  const entries = new Uint32Array(entryCount);
  const ofEntries = new Float32Array(entryCount);
  const pages = new Uint32Array(pageCount);
  const ofPages = new Float64Array(pageCount);
  const likeEntries = new Float32Array(entryCount);
  const likePages = new Float32Array(pageCount);
  for (let entry = 0, i = 0, p = 0, last = -1; i < entryCount; entry++) {
    const weight = found[entry]!;
    if (weight === 0) continue;
    entries[i] = entry;
    likeEntries[i] = like[entry]!;
    ofEntries[i++] = weight;
    const page = pageOf[entry]!;
    if (page !== last) pages[p++] = page;
    if (like[entry]! > likePages[p - 1]!) likePages[p - 1] = like[entry]!;
    last = page;
    sums[page]! += weight;
    if (weight > best[page]!) best[page] = weight;
  }
  for (let i = 0; i < pageCount; i++) {
    const page = pages[i]!;
    ofPages[i] = best[page]! + fromOthers * Math.min(maxOtherEntries, sums[page]! - best[page]!);
  }
  return { entries, ofEntries, pages, ofPages, likeEntries, likePages, titled: Uint32Array.from(inTitle) };
}

/**
 * The weight of one term of the query in each entry.
 *
 * @param titled gets the entries with the word in their title. @param like gets how like the word what they have is.
 */
function findEntries(
  index: IndexFiles,
  at: number,
  { query, whole, parts, isKnownName }: ExpandedTerm,
  titled: Set<number>,
  like: Float32Array,
): Float32Array {
  const found = new Float32Array(index.entryCount);
  addTerms(index, whole[at]!, found, titled, like);
  if (isKnownName) for (let entry = 0; entry < found.length; entry++) if (found[entry]! > 0) found[entry]! += ofName;
  if (query.parts.length === 0) return found;
  const inParts = partsOf(index, parts[at]!);
  for (let entry = 0; entry < found.length; entry++) {
    const score = isKnownName ? Math.min(ofName, ofNameParts * inParts[entry]!) : ofParts * inParts[entry]!;
    if (score > found[entry]!) found[entry] = score;
    if (score > 0) like[entry] = 1;
  }
  return found;
}

/** The mean weight of the parts of a word in each entry that has all of them. */
function partsOf(index: IndexFiles, parts: readonly (readonly FoundTerm[])[]): Float32Array {
  const sums = new Float32Array(index.entryCount);
  for (const [at, terms] of parts.entries()) {
    const one = new Float32Array(sums.length);
    addTerms(index, terms, one);
    for (let entry = 0; entry < sums.length; entry++)
      sums[entry] = one[entry]! > 0 && (at === 0 || sums[entry]! > 0) ? sums[entry]! + one[entry]! : 0;
  }
  return sums.map((sum) => sum / parts.length);
}

/** Raises the scores of entries with one of the terms. A word in a page's title counts a little for its sections. */
function addTerms(
  { pageOf, firstOf }: IndexFiles,
  terms: readonly FoundTerm[],
  scores: Float32Array,
  titled?: Set<number>,
  like?: Float32Array,
): void {
  for (const { postings, factor } of terms) {
    const ofTerm = likeness(factor);
    const reader = new NumberReader(postings);
    reader.next();
    for (let entry = 0, first = true; !reader.done; first = false) {
      const step = reader.next();
      // Entries ascend. Damaged postings must not be read many times.
      if (step === 0 && !first) break;
      entry += step;
      const value = reader.value();
      const inTitle = value >= weightSteps;
      const score = factor * weights[inTitle ? value - weightSteps : value]!;
      if (score > scores[entry]!) scores[entry] = score;
      if (like && ofTerm > like[entry]!) like[entry] = ofTerm;
      if (inTitle && factor >= sameWord) titled?.add(entry);
      const page = pageOf[entry]!;
      if (!inTitle || firstOf[page] !== entry) continue;
      for (let other = entry + 1; other < firstOf[page + 1]!; other++) {
        if (fromTitle * score > scores[other]!) scores[other] = fromTitle * score;
        if (like && ofTerm > like[other]!) like[other] = ofTerm;
      }
    }
  }
}
