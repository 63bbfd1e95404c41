import { isCommonWord } from "./engine/vocabulary.js";
import { weightStep } from "./index-format.js";
import type { PageWords } from "./page-words.js";
import type { TermTable } from "./term-table.js";
import { cutWords } from "./words.js";

/** Weight of a word that only readers use: a text that has it counts more. */
const ofReaders = weightStep(0.3);

/** Adds words to the entries of a page, unless the entry has them. @param texts of each entry, from the first on */
export function addReaderWords(page: PageWords, texts: readonly string[], table: TermTable): PageWords {
  const terms: number[] = [];
  const postings: number[] = [];
  for (let entry = 0, i = 0; entry < page.entryCount; entry++) {
    const known = new Set<number>();
    const add = (term: number, posting: number): void => {
      known.add(term);
      terms.push(term);
      postings.push(posting);
    };
    for (; i < page.count && page.postings[i]! >>> 7 === entry; i++) add(page.terms[i]!, page.postings[i]!);
    cutWords(texts[entry] ?? "", (word) => {
      if (isCommonWord(word)) return;
      const term = table.numberOf(word);
      if (!known.has(term)) add(term, (entry << 7) | ofReaders);
    });
  }
  return {
    entryCount: page.entryCount,
    count: terms.length,
    terms: Uint32Array.from(terms),
    postings: Uint32Array.from(postings),
  };
}
