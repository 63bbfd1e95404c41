import { lazy } from "../../lib/memo.js";
import { questionWords } from "./engine/vocabulary.js";
import synonymLists from "./synonyms.json" with { type: "json" };
import { createTermFile, termData } from "./term-file.js";

/** Every entry of the table of synonyms: see `readSynonyms`. */
const synonymEntries = Object.values(synonymLists).flatMap((lines) => lines.join("; ").split("; "));

const writtenIn = (entry: string): string[] => entry.split(": ").at(-1)!.split(" ");

/** Every word that a query may look for besides its own. */
const writtenWords = lazy(() => new Set([...questionWords, ...synonymEntries.flatMap(writtenIn)]));

/** Words in other scripts are there only if the site has them, which most have not. */
const tableWords = lazy((): readonly string[] => [...writtenWords()].filter((word) => word < "\u0250").sort());

/** The word of the tables that a term is, or whose plural it is. */
export function tableWordOf(term: string): string | undefined {
  if (writtenWords().has(term)) return term;
  const single = term.endsWith("s") ? term.slice(0, -1) : "";
  return writtenWords().has(single) ? single : undefined;
}

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
  return termData([file.take()]);
}

const noPostings = new Uint32Array();

/** The entries of the table of synonyms with the words that an index has, joined by semicolons. */
export function synonymsAmong(words: ReadonlySet<string>): string {
  const entries = synonymEntries.flatMap((entry) => {
    const said = entry.includes(": ") ? entry.slice(0, entry.indexOf(": ") + 2) : undefined;
    const written = writtenIn(entry).filter((word) => words.has(word));
    // In a group of words, the others are what readers say.
    if (written.length === 0) return [];
    if (said !== undefined) return [said + written.join(" ")];
    return [written.length === writtenIn(entry).length ? entry : `${entry}: ${written.join(" ")}`];
  });
  return entries.join(";");
}
