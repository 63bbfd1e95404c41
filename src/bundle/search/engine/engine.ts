import { type ExpandedTerm, expandTerm, type Marks, marksOf, synonymsIn } from "./expand-term.js";
import { type IndexFiles, placeIn } from "./index-files.js";
import { type Candidate, type Hit, orderHits } from "./order-hits.js";
import { parseQuery } from "./query.js";
import { isSentence, matchesOf, scoreEntries, weightsOfRoots } from "./score-entries.js";

export interface Answer {
  /** Best first. */
  readonly hits: readonly Hit[];
  readonly marks: Marks;
}

/** Results of a search in the browser: dialog, 404 page and `offprintFind`. */
const maxHits = 10;
/** Entries whose text is loaded to rank them, for each hit, for each of a question, and of one page. */
const candidatesPerHit = 4;
const candidatesPerPassage = 2.4;
const maxOfPage = 3;
/** Files that a browser loads for a query, without the head and the tables of each index. */
const filesOfQuery = 9;
const minFilesOfTexts = 4;
/** Of a query that is a sentence: with two files fewer, one query in a hundred loses its page among the first five results. */
const minFilesOfSentence = 7;
/** Entries that are ranked for each candidate: those of a page with many are left out. */
const rankedPerCandidate = 7;
const maxRanked = 512;
/** Entries of one score: most are a section that many pages repeat, such as a header of an API. */
const maxAlike = 4;

/**
 * Searches several indexes, the nearest first.
 *
 * @param product number of the reader's product; 0 for none.
 * @param isOnly leaves out the pages of other products.
 * @param isStale whether nobody waits for the answer: no texts are loaded for its hits, and it has none.
 * @throws {Error} when a file of an index cannot be loaded.
 */
export async function search(
  indexes: readonly IndexFiles[],
  query: string,
  product = 0,
  isOnly = false,
  isStale = () => false,
): Promise<Answer> {
  const synonyms = await synonymsIn(indexes);
  const expanded = await Promise.all(parseQuery(query, synonyms).map((term) => expandTerm(indexes, term, synonyms)));
  if (isStale()) return { hits: [], marks: marksOf(expanded) };
  return {
    hits: await findHits(indexes, expanded, query, product, maxHits, false, filesOfTexts(indexes, expanded), isOnly),
    marks: marksOf(expanded),
  };
}

/** How many files of texts may be loaded besides those of the words. */
function filesOfTexts(indexes: readonly IndexFiles[], expanded: readonly ExpandedTerm[]): number {
  const read = new Set<string>();
  for (const [at, { firstTerms }] of indexes.entries())
    for (const { query } of expanded) if (!query.common) read.add(`${at} ${placeIn(firstTerms, query.word)}`);
  const least = isSentence(expanded) ? minFilesOfSentence : minFilesOfTexts;
  return Math.max(least, filesOfQuery - indexes.length - read.size);
}

/** The best hits for the terms of a query, best first. @param files most files of texts that are loaded. */
export async function findHits(
  indexes: readonly IndexFiles[],
  expanded: readonly ExpandedTerm[],
  query: string,
  product: number,
  count: number,
  isQuestion = false,
  files = Number.POSITIVE_INFINITY,
  isOnly = false,
): Promise<Hit[]> {
  const most = Math.ceil((isQuestion ? candidatesPerPassage : candidatesPerHit) * count);
  const candidates: Candidate[] = [];
  for (const [at, index] of indexes.entries()) {
    for (const term of expanded) {
      const pause = index.pause();
      if (pause) await pause;
      matchesOf(index, at, term);
    }
    await index.pause();
    candidates.push(...bestOf(index, at, expanded, product, most, isOnly));
  }
  candidates.sort((a, b) => b.score - a.score || a.entry - b.entry);
  const weights = isSentence(expanded) ? weightsOfRoots(expanded) : undefined;
  return orderHits(withFiles(candidates.slice(0, most), files), query, count, isQuestion, weights);
}

/**
 * The candidates, best first: those whose texts are in the first files that they need, and of each other page its best part, by
 * its title alone. Only the best part of a page asks for a file: other pages say more than further parts.
 */
function withFiles(candidates: readonly Candidate[], most: number): Candidate[] {
  const files = new Set<string>();
  const pages = new Set<string>();
  const isFirst: boolean[] = [];
  const places = candidates.map(({ index, entry, distance }) => {
    const file = `${distance >> 1} ${index.fileOf(entry)}`;
    const page = `${distance >> 1} ${index.pageOf[entry]}`;
    if (files.size < most && !pages.has(page)) files.add(file);
    isFirst.push(!pages.has(page));
    pages.add(page);
    return file;
  });
  return candidates.flatMap((candidate, at) =>
    files.has(places[at]!) ? [candidate] : isFirst[at] ? [{ ...candidate, isRead: false }] : [],
  );
}

/** The best entries of one index. */
function bestOf(
  index: IndexFiles,
  at: number,
  expanded: readonly ExpandedTerm[],
  product: number,
  most: number,
  isOnly: boolean,
): Candidate[] {
  const { scores, own } = scoreEntries(index, at, expanded, product);
  const isOfFew = createLimit(maxOfPage);
  const isUnlike = createLimit(maxAlike);
  const best: Candidate[] = [];
  const alike: Candidate[] = [];
  const ranked = rankedOf(scores, Math.min(maxRanked, rankedPerCandidate * most));
  for (let rank = ranked.length - 1; rank >= 0; rank--) {
    const entry = entries - 1 - (ranked[rank]! % entries);
    const score = scores[entry]!;
    const page = index.pageOf[entry]!;
    const isOther = product !== 0 && index.productOf[page] !== 0 && index.productOf[page] !== product;
    if ((isOnly && isOther) || !isOfFew(page)) continue;
    const distance = 2 * at + Number(isOther);
    const candidate = { index, part: entry - index.firstOf[page]!, score, entry, distance, isRead: true };
    (isUnlike(own[entry]!) ? best : alike).push(candidate);
    if (best.length === most) break;
  }
  return [...best, ...alike].slice(0, most);
}

/**
 * At least the `most` entries with the highest scores, best last, then in their order; valid until the next call. Numbers are
 * sorted much faster than objects: the bits of a positive score, then the entry, higher for a lower one.
 */
function rankedOf(scores: Float32Array, most: number): Float64Array {
  const bits = new Uint32Array(scores.buffer);
  let least = leastOf(bits, most);
  let count = 0;
  for (let entry = 0; entry < scores.length; entry++) {
    if (bits[entry]! <= least) continue;
    ranked[count++] = bits[entry]! * entries + (entries - 1 - entry);
    if (count < ranked.length) continue;
    ranked.sort().copyWithin(0, ranked.length - most);
    count = most;
    least = Math.floor(ranked[0]! / entries);
  }
  return ranked.subarray(0, count).sort();
}
const ranked = new Float64Array(2048);

/** The bits of a number that `most` scores exceed, and few more. */
function leastOf(bits: Uint32Array, most: number): number {
  rounded.fill(0);
  for (let entry = 0; entry < bits.length; entry++) rounded[bits[entry]! >>> roundedBits]!++;
  let step = rounded.length;
  for (let count = 0; step > 1 && count < most; ) count += rounded[--step]!;
  return step * 2 ** roundedBits - 1;
}
const roundedBits = 19;
/** How many scores there are of each step, in about 6 %. */
const rounded = new Uint32Array(2 ** (31 - roundedBits));
/** More than an index has. */
const entries = 2 ** 22;

/** Tells whether a key was seen at most `most` times, this time included. */
function createLimit(most: number): (key: number) => boolean {
  const counts = new Map<number, number>();
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= most;
  };
}
