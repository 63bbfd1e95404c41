import { lazy } from "../../lib/memo.js";
import { questionWords, synonymEntries } from "./engine/vocabulary.js";
import { createTermFile } from "./term-file.js";

/**
 * Every word that a query may look for besides its own, sorted. Pairs of characters are in the files of terms only, since most
 * sites have none.
 */
const tableWords = lazy((): readonly string[] =>
  [...new Set([...questionWords, ...synonymEntries.flatMap((entry) => entry.replace(/^.*: /, "").split(" "))])]
    .filter((word) => word < "\u0e00")
    .sort(),
);
const inTables = lazy(() => new Set(tableWords()));

/** Whether a query may look for it besides its own words, or for its singular. */
export const isTableWord = (term: string): boolean =>
  inTables().has(term) || (term.endsWith("s") && inTables().has(term.slice(0, -1)));

/** A word of the tables in an index, with its postings. */
export type FoundWord = readonly [term: string, count: number, postings: Uint32Array];

/** The data of the file of all these words, those that the index lacks without postings. @param found in order */
export function tableFile(found: readonly FoundWord[]): Uint8Array {
  const file = createTermFile();
  const words = tableWords();
  let at = 0;
  const addMissing = (end: string | undefined): void => {
    for (; at < words.length && (end === undefined || words[at]! < end); at++) file.add(words[at]!, 0, noPostings);
  };
  for (const [term, count, postings] of found) {
    addMissing(term);
    if (term === words[at]) at++;
    file.add(term, count, postings);
  }
  addMissing(undefined);
  return file.take();
}

const noPostings = new Uint32Array();
