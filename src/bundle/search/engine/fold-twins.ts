import type { FoundPart } from "./found-part.js";

export interface RankedPart {
  readonly part: FoundPart;
  readonly score: number;
  /** The lower, the nearer to the reader: the own product, language and version come first. */
  readonly distance: number;
}

/** Share of common words from which two texts are the same. */
const alike = 0.8;
/** What several pages repeat tells little about any of them: the factor from this number of pages on. */
const manyTwins = 3;
const ofMany = 0.6;

/**
 * Keeps one of the results that say the same: the fields of a page that share a name, a page listed in several products or
 * versions, and copies of a page. The nearest takes the place of the best.
 *
 * @param ranked best first.
 */
export function foldTwins(ranked: readonly RankedPart[]): RankedPart[] {
  const kept: { nearest: RankedPart; readonly score: number; readonly pages: Set<string> }[] = [];
  for (const each of ranked) {
    const { part, score, distance } = each;
    const known = kept.find(({ nearest }) => isTwin(part, nearest.part));
    if (known && distance < known.nearest.distance) known.nearest = each;
    if (known) known.pages.add(part.page);
    else kept.push({ nearest: each, score, pages: new Set([part.page]) });
  }
  return kept
    .map(({ nearest: { part, distance }, score, pages }) => ({
      part,
      score: pages.size < manyTwins ? score : ofMany * score,
      distance,
    }))
    .sort((a, b) => b.score - a.score);
}

function isTwin(one: FoundPart, other: FoundPart): boolean {
  if (one.title !== other.title) return false;
  if (one.page === other.page) return true;
  const words = one.words();
  const otherWords = other.words();
  // Without text, the name of the page decides.
  if (words.size === 0 && otherWords.size === 0) return nameOf(one.page) === nameOf(other.page);
  let common = 0;
  // An iterator would make an object for each word.
  words.forEach((word) => {
    if (otherWords.has(word)) common++;
  });
  return common >= alike * Math.max(words.size, otherWords.size);
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
