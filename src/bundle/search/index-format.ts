/**
 * What the script files of an index hold; the client reads it. Each is one call, `offprintSearch(name, ...data)`:
 *
 * | name   | file                                   | data                                                          |
 * |--------|----------------------------------------|---------------------------------------------------------------|
 * | ``     | `offprint-search.js`                   | `IndexHead` of each index, in their order, or the hashes of their files; `SearchChoices`, if there are any |
 * | `0`    | `_offprint/search/0.<hash>.js`         | `IndexHead`, then the data of `0/k`                            |
 * | `0/t7` | `_offprint/search/0/t7.<hash>.js`      | terms in order, and their postings, each joined by blanks     |
 * | `0/s7` | `_offprint/search/0/s7.<hash>.js`      | `PageEntry` each; a long page goes on in the next files        |
 * | `0/w`  | `_offprint/search/0/w.<hash>.js`       | words for the correction of typing errors, joined by blanks     |
 * | `0/k`  | `_offprint/search/0/k.<hash>.js`        | like `0/t7`: the synonyms and question words that the search knows, with their best entries; the synonyms that the index has, see `readSynonyms`; a line for each page, with tabs between its address, title, marker and groups, so that results can be shown before their texts are read |
 * | `0/z`  | `_offprint/search/0/z.<hash>.js`       | traditional Chinese characters, each followed by its simplified form |
 *
 * Entries are the parts of pages, numbered consecutively: for each page first the text before its first heading, then its
 * sections. Terms and words are compressed by their common prefix with the one before: a character (see `codec.ts`) is
 * its length in code units, then the rest follows. A character after each word is its frequency.
 *
 * Postings start with the number of entries of the term. Each entry is its distance from the previous one and a character
 * for its weight: 0 to 44 by the logarithm, 45 more if the term is in a title. A very frequent term has only its best
 * entries. A term that ends in U+FFFF is a prefix: it has the best entries of all its terms, where these fill several
 * files.
 */
export interface IndexHead {
  /** Version of this format. */
  readonly version: 3;
  /** First term of each file of terms, joined by blanks. */
  readonly terms: string;
  /** Number of entries of each page. */
  readonly pages: string;
  /** Number of entries in each file of sections. */
  readonly sections: string;
  /** Eight hexadecimal digits for each file, joined: files of terms, of sections, of words. */
  readonly hashes: string;
  /** Hash of the file of the tables of the search; absent if they are in the file of the head. */
  readonly tableWords?: string | undefined;
  /** Hash of the file of Chinese characters; only in an index of Chinese text. */
  readonly variants?: string;
  /** Runs of pages in one product: their number and the product's. Only for a site with several products. */
  readonly products?: string;
}

/** What readers can choose between. */
export interface SearchChoices {
  /** Name of the language, and version, of each index; empty for none. */
  readonly scopes: readonly (readonly [language: string, version: string])[];
  /** Names, that of product 1 first. Empty for a site with fewer than two. */
  readonly products: readonly string[];
}

export type PageEntry = readonly [
  /** Address from the bundle's root. */
  href: string,
  title: string,
  /** The path of the page in the navigation, outermost first. */
  trail: readonly string[],
  /** Text of the pill next to the title; may be empty. */
  marker: string,
  ...parts: readonly PagePart[],
];
export type PagePart = readonly [id: string, heading: string, text: string, code?: string];

/** Where the parts of a page begin in its entry. */
export const firstPart = 4;

export const prefixMark = "\uffff";

/** Prefixes up to this length have their own term if they fill more files than `filesRead`. */
export const longestPrefix = 5;

/** Most term files that are read to find all words with a prefix. */
export const filesRead = 3;

/** Weights are logarithmic: 0 is the lowest, each further step a fifth more. */
export const weightSteps = 45;
const least = 0.02;
const step = 1.2;
export const weightStep = (weight: number): number =>
  Math.min(weightSteps - 1, Math.max(0, Math.round(Math.log(weight / least) / Math.log(step))));
export const weightAt = (value: number): number => least * step ** value;

/** A part as a file has it: a number in place of itself, or of its text, is that of an earlier part with the same one. */
type WrittenPart = PagePart | number | readonly [id: string, heading: string, text: number, code?: string];

/** Shorter texts take no more room than their number. */
const shortestRepeated = 8;

/** Numbers for what a file repeats. @param data JSON of entries, separated by commas. */
export function withoutRepeatedParts(data: Uint8Array): Uint8Array {
  const pages = JSON.parse(`[${new TextDecoder().decode(data)}]`) as PageEntry[];
  const known = new Map<string, number>();
  let count = 0;
  /** The number of the first part for which it was asked; undefined for that one. */
  const earlier = (key: string): number | undefined => {
    const number = known.get(key);
    if (number === undefined) known.set(key, count);
    return number;
  };
  const written = (part: PagePart): WrittenPart => {
    const [id, heading, text, ...code] = part;
    const sameText = text.length < shortestRepeated ? undefined : earlier(text);
    const same = earlier(`${text.length < shortestRepeated ? text : (sameText ?? count)}\n${id}\n${heading}\n${code}`);
    count++;
    return same ?? (sameText === undefined ? part : [id, heading, sameText, ...code]);
  };
  const entries = pages.map((page) => [
    ...page.slice(0, firstPart),
    ...(page.slice(firstPart) as PagePart[]).map(written),
  ]);
  return new TextEncoder().encode(JSON.stringify(entries).slice(1, -1));
}

/** The entries of a file as they were before `withoutRepeatedParts`. No two have the same object as a part. */
export function withRepeatedParts(entries: readonly unknown[]): readonly PageEntry[] {
  const parts: PagePart[] = [];
  const whole = (written: WrittenPart): PagePart => {
    if (typeof written === "number") return [...parts[written]!];
    const [id, heading, text, ...code] = written;
    return typeof text === "string" ? (written as PagePart) : [id, heading, parts[text]![2], ...code];
  };
  return (entries as (readonly unknown[])[]).map(
    (entry) =>
      entry.map((each, at) => {
        if (at < firstPart) return each;
        const part = whole(each as WrittenPart);
        parts.push(part);
        return part;
      }) as unknown as PageEntry,
  );
}
