import { NumberReader } from "../../bundle/search/codec.js";
import { type FoundTerm, findTerms } from "./find-terms.js";
import type { IndexFiles } from "./index-files.js";
import { nearWords } from "./near-words.js";
import type { Wanted } from "./query.js";

/** What a wanted word may mean. */
export interface Meaning {
  readonly wanted: Wanted;
  /** The more, the fewer entries have it. */
  readonly rarity: number;
  /** For each index the terms of which an entry must have one. */
  readonly whole: readonly (readonly FoundTerm[])[];
  /** For each index and each part of the word the terms of which an entry must have one instead. */
  readonly parts: readonly (readonly (readonly FoundTerm[])[])[];
}

/** Words that are marked where they stand in a result. */
export interface Marks {
  readonly words: ReadonlySet<string>;
  /** Every word that begins with one of these counts too. */
  readonly beginnings: readonly string[];
}

/** Terms that are less sure than this are other words, more likely than not. */
const sure = 0.3;

export async function meaningOf(indexes: readonly IndexFiles[], wanted: Wanted): Promise<Meaning> {
  const { word, parts, open, optional } = wanted;
  const exact = await Promise.all(indexes.map((index) => findTerms(index, word, open)));
  const isMistyped = !optional && parts.length === 0 && !exact.some((terms) => terms.some(isSure));
  const whole = isMistyped ? await Promise.all(indexes.map((index) => mistyped(index, word, open))) : exact;
  const inParts = await Promise.all(
    indexes.map((index) =>
      Promise.all(parts.map((part, at) => findTerms(index, part, open && at === parts.length - 1))),
    ),
  );
  return { wanted, whole, parts: inParts, rarity: rarityOf(indexes, word, whole, inParts) };
}

export const isSure = ({ factor }: FoundTerm): boolean => factor > sure;

/** Terms of words that are nearly the same. */
async function mistyped(index: IndexFiles, word: string, open: boolean): Promise<FoundTerm[]> {
  const near = nearWords(word, await index.commonWords(), open);
  const found = await Promise.all(
    near.map(async (each) => {
      const terms = await findTerms(index, each.word, false);
      const likely = each.distance > 1 ? 0.5 : 0.65;
      return terms.map((term) => ({ ...term, factor: term.factor * likely }));
    }),
  );
  return found.flat();
}

/** By the entries that have the word itself; where there are none, by those of what it may mean. */
function rarityOf(
  indexes: readonly IndexFiles[],
  word: string,
  whole: Meaning["whole"],
  parts: Meaning["parts"],
): number {
  const all = indexes.reduce((sum, index) => sum + index.entryCount, 0);
  const terms = whole.flat();
  const exact = terms.filter(({ term }) => term === word);
  let count = entriesWith(exact.length > 0 ? exact : terms);
  if (count === 0) count = parts.reduce((sum, each) => sum + Math.min(...each.map(entriesWith)), 0);
  return count === 0 || !Number.isFinite(count) ? 0 : Math.log(1 + all / Math.min(all, count));
}

const entriesWith = (terms: readonly FoundTerm[]): number =>
  terms.reduce((sum, { postings }) => sum + new NumberReader(postings).next(), 0);

/** Frequent words are not marked beside rare ones: they stand everywhere. */
export function marksOf(meanings: readonly Meaning[]): Marks {
  const words = new Set<string>();
  const beginnings: string[] = [];
  const rarest = Math.max(...meanings.map(({ rarity }) => rarity));
  for (const { wanted, whole, parts, rarity } of meanings) {
    if (rarity < rarest / 4) continue;
    if (wanted.open) beginnings.push(wanted.word);
    words.add(wanted.word);
    for (const found of [...whole.flat(), ...parts.flat(2)]) {
      const isOnlyBegun = wanted.open && found.term.startsWith(wanted.word);
      if (isSure(found) && !isOnlyBegun) words.add(found.term);
    }
  }
  return { words, beginnings };
}
