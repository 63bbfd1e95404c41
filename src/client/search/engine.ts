import { NumberReader } from "../../bundle/search/codec.js";
import { weightAt, weightSteps } from "../../bundle/search/index-format.js";
import { type ExpandedTerm, expandTerm, isSure, type Marks, marksOf } from "./expand-term.js";
import type { FoundTerm } from "./find-terms.js";
import type { IndexFiles } from "./index-files.js";
import { type Candidate, type Hit, orderHits } from "./order-hits.js";
import { parseQuery } from "./query.js";

export interface Answer {
  /** Best first. */
  readonly hits: readonly Hit[];
  readonly marks: Marks;
}

const maxHits = 10;
/** Entries whose text is loaded to rank them, in all and of one page. */
const maxCandidates = 16;
const maxOfPage = 3;
/** Weight of a word in the title of a page for the sections of the page. */
const fromTitle = 0.35;
/** The weight of each step of `weightAt`. */
const weights = Float32Array.from({ length: weightSteps }, (_, value) => weightAt(value));

/**
 * Searches several indexes. Entries with all words rank above entries with some, rare words above frequent ones, titles
 * above text.
 *
 * @throws {Error} when a file of an index cannot be loaded.
 */
export async function search(indexes: readonly IndexFiles[], query: string): Promise<Answer> {
  const expanded = await Promise.all(parseQuery(query).map((term) => expandTerm(indexes, term)));
  const candidates = indexes.flatMap((index, at) => bestOf(index, at, expanded));
  candidates.sort((a, b) => b.score - a.score || a.order - b.order);
  return { hits: await orderHits(candidates.slice(0, maxCandidates), query, maxHits), marks: marksOf(expanded) };
}

/** The best entries of one index. */
function bestOf(index: IndexFiles, at: number, expanded: readonly ExpandedTerm[]): Candidate[] {
  const scores = scoresOf(index, at, expanded);
  const ranked: { entry: number; score: number }[] = [];
  let least = 0;
  for (let entry = 0; entry < scores.length; entry++) {
    const score = scores[entry]!;
    if (score <= least) continue;
    ranked.push({ entry, score });
    if (ranked.length < 400) continue;
    ranked.sort((a, b) => b.score - a.score || a.entry - b.entry).length = 100;
    least = ranked.at(-1)!.score;
  }
  ranked.sort((a, b) => b.score - a.score || a.entry - b.entry);
  const ofPage = new Map<number, number>();
  const best: Candidate[] = [];
  for (const { entry, score } of ranked) {
    const page = index.pageOf[entry]!;
    const count = ofPage.get(page) ?? 0;
    if (count === maxOfPage) continue;
    ofPage.set(page, count + 1);
    best.push({ index, page, part: entry - index.firstOf[page]!, score, order: entry });
    if (best.length === maxCandidates) break;
  }
  return best;
}

/** The score of each entry; 0 without a match. */
function scoresOf(index: IndexFiles, at: number, expanded: readonly ExpandedTerm[]): Float32Array {
  const scores = new Float32Array(index.entryCount);
  const covered = new Float32Array(index.entryCount);
  let asked = 0;
  for (const { query, whole, parts, rarity } of expanded) {
    // One or two letters of an unfinished word say little.
    const importance = query.optional ? 0 : query.open && query.word.length < 3 && expanded.length > 1 ? 0.2 : 1;
    const mass = importance * (rarity === 0 ? 1 : rarity);
    asked += mass;
    const found = new Float32Array(index.entryCount);
    addTerms(index, whole[at]!, found);
    if (parts[at]!.length > 0) addParts(index, parts[at]!, whole[at]!.some(isSure) ? 0.4 : 0.9, found);
    for (let entry = 0; entry < found.length; entry++) {
      if (found[entry] === 0) continue;
      scores[entry]! += rarity * found[entry]!;
      covered[entry]! += mass;
    }
  }
  for (let entry = 0; entry < scores.length; entry++) {
    if (scores[entry] === 0) continue;
    const share = asked === 0 ? 1 : covered[entry]! / asked;
    scores[entry]! *= share * share;
  }
  return scores;
}

/** Raises the scores of entries with every part of a word. */
function addParts(
  index: IndexFiles,
  parts: readonly (readonly FoundTerm[])[],
  factor: number,
  scores: Float32Array,
): void {
  const [first, ...others] = parts.map((terms) => {
    const one = new Float32Array(scores.length);
    addTerms(index, terms, one);
    return one;
  });
  for (let entry = 0; entry < scores.length; entry++) {
    let sum = first![entry]!;
    for (const other of others) sum = sum > 0 && other[entry]! > 0 ? sum + other[entry]! : 0;
    scores[entry] = Math.max(scores[entry]!, (factor * sum) / parts.length);
  }
}

/** Raises the scores of entries with one of the terms. A word in a page's title counts a little for its sections. */
function addTerms({ pageOf, firstOf }: IndexFiles, terms: readonly FoundTerm[], scores: Float32Array): void {
  for (const { postings, factor } of terms) {
    const reader = new NumberReader(postings);
    reader.next();
    let entry = 0;
    while (!reader.done) {
      entry += reader.next();
      const value = reader.value();
      const inTitle = value >= weightSteps;
      const score = factor * weights[inTitle ? value - weightSteps : value]!;
      if (score > scores[entry]!) scores[entry] = score;
      const page = pageOf[entry]!;
      if (!inTitle || firstOf[page] !== entry) continue;
      for (let other = entry + 1; other < firstOf[page + 1]!; other++)
        if (fromTitle * score > scores[other]!) scores[other] = fromTitle * score;
    }
  }
}
