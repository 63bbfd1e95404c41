/**
 * What the script files of an index hold; the client reads it. Each is one call, `offprintSearch(name, ...data)`:
 *
 * | name   | file                                   | data                                                          |
 * |--------|----------------------------------------|---------------------------------------------------------------|
 * | ``     | `offprint-search.js`                   | hash of the head of each index, in their order                |
 * | `0`    | `_offprint/search/0.<hash>.js`         | `IndexHead`                                                   |
 * | `0/t7` | `_offprint/search/0/t7.<hash>.js`      | terms in order, and their postings, each joined by blanks     |
 * | `0/s7` | `_offprint/search/0/s7.<hash>.js`      | `PageEntry` each                                              |
 * | `0/w`  | `_offprint/search/0/w.<hash>.js`       | words that a mistyped one may have meant, joined by blanks    |
 *
 * Entries are the parts of pages, numbered through: of each page first what stands before its first heading, then its
 * sections. Terms and words are cut short by what they share with the one before: a character (see `codec.ts`) says how
 * many code units, then comes the rest. Behind each of the words a character tells how frequent it is.
 *
 * Postings begin with the number of entries that hold the term; then for each its distance from the entry before and a
 * character for its weight: 0 to 44 by its logarithm, 45 more where the term stands in a title. Of a very frequent term
 * only the best entries are there. A term that ends in U+FFFF stands for all that begin like it: where
 * they fill several files, it holds the best entries.
 */
export interface IndexHead {
  /** Of this format. */
  readonly version: 1;
  /** First term of each file of terms, joined by blanks. */
  readonly terms: string;
  /** Number of entries of each page. */
  readonly pages: string;
  /** Number of pages in each file of sections. */
  readonly sections: string;
  /** Eight hexadecimal digits for each file, joined: files of terms, of sections, of words. */
  readonly hashes: string;
}

export type PageEntry = readonly [
  /** Address from the bundle's root. */
  href: string,
  title: string,
  /** Where the page stands in the navigation, outermost first. */
  trail: readonly string[],
  /** What the pill beside its title says; empty for none. */
  marker: string,
  ...parts: readonly (readonly [id: string, heading: string, text: string, code?: string])[],
];

export const anyEnding = "\uffff";
/** Prefixes up to this length have a term of their own where they fill more files than `filesRead`. */
export const longestShared = 4;
/** As many files of terms are read at most to find all words with a beginning. */
export const filesRead = 3;

/** Weights stand for a logarithm: 0 is the least that counts, every further step a fifth more. */
export const weightSteps = 45;
const least = 0.02;
const step = 1.2;
export const weightStep = (weight: number): number =>
  Math.min(weightSteps - 1, Math.max(0, Math.round(Math.log(weight / least) / Math.log(step))));
export const weightAt = (value: number): number => least * step ** value;
