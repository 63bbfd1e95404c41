/** What tells whether two results say the same. */
export interface Twin {
  /** With the anchor, if any. */
  readonly href: string;
  readonly title: string;
  readonly text: string;
  readonly code: string;
  /** The lower, the nearer to the reader: the own product, language and version come first. */
  readonly distance: number;
  readonly score: number;
}

/** Share of common words from which two texts are the same. */
const alike = 0.8;
/** What several pages repeat tells little about any of them: the factor from this number of pages on. */
const manyTwins = 3;
const ofMany = 0.6;
/** Only the first words are compared. */
const mostWords = 300;

/**
 * Keeps one of the results that say the same: the fields of a page that share a name, a page listed in several products or
 * versions, and copies of a page. The nearest takes the place of the best.
 *
 * @param hits best first.
 */
export function foldTwins<T extends Twin>(hits: readonly T[]): T[] {
  const kept: { hit: T; readonly score: number; readonly pages: Set<string> }[] = [];
  const wordsOf = createWords();
  for (const hit of hits) {
    const known = kept.find((other) => isTwin(hit, other.hit, wordsOf));
    if (known && hit.distance < known.hit.distance) known.hit = hit;
    if (known) known.pages.add(pageOf(hit));
    else kept.push({ hit, score: hit.score, pages: new Set([pageOf(hit)]) });
  }
  return kept
    .map(({ hit, score, pages }) => ({ ...hit, score: pages.size < manyTwins ? score : ofMany * score }))
    .sort((a, b) => b.score - a.score);
}

const pageOf = ({ href }: Twin): string => href.split("#")[0]!;

function isTwin(one: Twin, other: Twin, wordsOf: (twin: Twin) => ReadonlySet<string>): boolean {
  if (one.title !== other.title) return false;
  const [path, otherPath] = [pageOf(one), pageOf(other)];
  if (path === otherPath) return true;
  const [words, otherWords] = [wordsOf(one), wordsOf(other)];
  // Without text, the name of the page decides.
  if (words.size === 0 && otherWords.size === 0) return nameOf(path) === nameOf(otherPath);
  let common = 0;
  for (const word of words) if (otherWords.has(word)) common++;
  return common >= alike * Math.max(words.size, otherWords.size);
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function createWords(): (twin: Twin) => ReadonlySet<string> {
  const known = new Map<Twin, ReadonlySet<string>>();
  return (twin) => {
    let words = known.get(twin);
    if (words === undefined) {
      const all = `${twin.text} ${twin.code}`.split(/\s+/, mostWords);
      words = new Set(all.filter((word) => word !== ""));
      known.set(twin, words);
    }
    return words;
  };
}
