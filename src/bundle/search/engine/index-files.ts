import { createRecent } from "../../../lib/memo.js";
import { NumberReader } from "../codec.js";
import type { IndexHead, PageEntry, PagePart, SearchChoices } from "../index-format.js";
import { firstPart, withRepeatedParts } from "../index-format.js";
import { readSynonyms, readVariants, type Synonyms, type Variants } from "./vocabulary.js";

/** Loads the data of an index file, by its path from the bundle's root and its name. */
export type LoadData = (path: string, name: string) => Promise<readonly unknown[]>;

/** An opened index. Its files are loaded when a query needs them. */
export interface IndexFiles {
  readonly entryCount: number;
  /** `pageOf`: the page of each entry. `firstOf`: the first entry of each page, then the number of entries. */
  readonly pageOf: Uint32Array;
  readonly firstOf: Uint32Array;
  /** Number of the product of each page; 0 for none. */
  readonly productOf: Uint32Array;
  /** The first term of each term file. */
  readonly firstTerms: readonly string[];
  terms(file: number): Promise<TermFile>;
  page(page: number): Promise<PageEntry>;
  /** A part of a page, by its number in the index, with what is known of the page. */
  part(entry: number): Promise<{ readonly page: PageEntry; readonly part: PagePart }>;
  /** The number of the file that has the part. */
  fileOf(entry: number): number;
  tables(): Promise<Tables>;
  commonWords(): Promise<readonly CommonWord[]>;
  /** Empty if the index has no Chinese text. */
  variants(): Promise<Variants>;
  /** Called between the parts of a search. */
  readonly pause: Pause;
}

/** Lets other work of the thread run if it has waited long enough; undefined: the search goes on at once. */
export type Pause = () => Promise<void> | undefined;
export interface TermFile {
  /** Sorted by code unit. */
  readonly terms: readonly string[];
  /** See `index-format.ts`. */
  readonly postings: readonly string[];
}
/** What the tables of the search are for the index. */
export interface Tables {
  /** Their words, with plurals; those that the index lacks have no entries. Empty if queries read the files of terms instead. */
  readonly words: TermFile;
  /** Only words that the index has. */
  readonly synonyms: Synonyms;
  /** What is known of each page before its texts are read: see `index-format.ts`. */
  readonly names: readonly string[];
}
export interface CommonWord {
  readonly word: string;
  readonly frequency: number;
}

/** Number of loaded files that a browser keeps in memory. */
const maxFilesInBrowser = 64;

/** Opens the indexes of a bundle. @throws {Error} if a file cannot be loaded; the next call tries again. */
export function createIndexOpener(load: LoadData, maxKept = maxFilesInBrowser, pause: Pause = () => undefined) {
  const keep = createRecent<unknown>(maxKept) as <T>(key: string, make: () => Promise<T>) => Promise<T>;
  type Heads = readonly [heads: readonly (IndexHead | string)[], choices?: SearchChoices];
  let loading: Promise<Heads> | undefined;
  const loadHeads = (): Promise<Heads> => {
    loading ??= load("offprint-search.js", "") as unknown as Promise<Heads>;
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  /** The head of an index, and its tables if they are in the same file. */
  const headOf = async (name: string): Promise<readonly [head: IndexHead, ...tables: unknown[]]> => {
    const head = (await loadHeads())[0][Number(name)]!;
    if (typeof head !== "string") return [head];
    return (await load(`_offprint/search/${name}.${head}.js`, name)) as readonly [IndexHead, ...unknown[]];
  };

  /** @param name that the search button has for the index. */
  const open = async (name: string): Promise<IndexFiles> => {
    const [head, ...tables] = await headOf(name);
    const firstOf = runningSums(head.pages);
    const firstEntries = runningSums(head.sections);
    const firstTerms = head.terms === "" ? [] : head.terms.split(" ");
    const pageOf = new Uint32Array(firstOf.at(-1)!);
    for (let page = 0; page + 1 < firstOf.length; page++) pageOf.fill(page, firstOf[page], firstOf[page + 1]);
    /** The order of `hashes` is terms, sections, words. */
    const file = (kind: string, number: number): Promise<readonly unknown[]> => {
      const at = kind === "t" ? number : firstTerms.length + (kind === "s" ? number : firstEntries.length - 1);
      const own = `${name}/${kind}${kind === "w" ? "" : number}`;
      return load(`_offprint/search/${own}.${head.hashes.slice(8 * at, 8 * at + 8)}.js`, own);
    };
    const fileOf = (entry: number): number => Math.min(firstEntries.length - 2, placeIn(firstEntries, entry));
    /** For each part in a file, its page or the piece of it. */
    const partsIn = (number: number) =>
      keep(`${name}/s${number}`, async () =>
        withRepeatedParts(await file("s", number)).flatMap((page) =>
          (page.slice(firstPart) as PagePart[]).map((part) => ({ page, part })),
        ),
      );
    const part: IndexFiles["part"] = async (entry) => {
      const number = fileOf(entry);
      return (await partsIn(number))[entry - firstEntries[number]!]!;
    };
    const termsIn = ([terms = "", postings = ""]: readonly unknown[]): TermFile => ({
      terms: expandPrefixes((terms as string).split(" ")),
      postings: (postings as string).split(" "),
    });
    return {
      pause,
      part,
      fileOf,
      entryCount: pageOf.length,
      pageOf,
      firstOf,
      productOf: readRuns(head.products ?? "", firstOf.length - 1),
      firstTerms,
      terms: (number) => keep(`${name}/t${number}`, async () => termsIn(await file("t", number))),
      tables: () =>
        keep(`${name}/k`, async () => {
          const file = `_offprint/search/${name}/k.${head.tableWords}.js`;
          const data = head.tableWords === undefined ? tables : await load(file, `${name}/k`);
          const [, , synonyms = "", names = ""] = data as readonly (string | undefined)[];
          return { words: termsIn(data), synonyms: readSynonyms(synonyms.split(";")), names: names.split("\n") };
        }),
      async page(page) {
        const entries = Array.from({ length: firstOf[page + 1]! - firstOf[page]! }, (_, at) => firstOf[page]! + at);
        const all = await Promise.all(entries.map(part));
        const [href, title, trail, marker] = all[0]!.page;
        return [href, title, trail, marker, ...all.map((each) => each.part)];
      },
      commonWords: () =>
        keep(`${name}/w`, async () => {
          const isThere = head.hashes.length > 8 * (firstTerms.length + firstEntries.length - 1);
          if (!isThere) return [];
          const [words] = (await file("w", 0)) as [string];
          const cut = words.split(" ");
          const whole = expandPrefixes(cut.map((word) => word.slice(0, -1)));
          return whole.map((word, i) => ({ word, frequency: new NumberReader(cut[i]!.slice(-1)).value() }));
        }),
      variants: () =>
        keep(`${name}/z`, async () => {
          if (head.variants === undefined) return new Map();
          const [pairs] = await load(`_offprint/search/${name}/z.${head.variants}.js`, `${name}/z`);
          return readVariants(pairs as string);
        }),
    };
  };
  /** What readers can choose between; undefined if there is nothing to choose. */
  const choices = async (): Promise<SearchChoices | undefined> => (await loadHeads())[1];
  return Object.assign(open, { choices });
}

/** Running sums, starting with 0. */
function runningSums(text: string): Uint32Array {
  const reader = new NumberReader(text);
  const all = [0];
  while (!reader.done) all.push(all.at(-1)! + reader.next());
  return Uint32Array.from(all);
}

function readRuns(text: string, count: number): Uint32Array {
  const reader = new NumberReader(text);
  const all = new Uint32Array(count);
  for (let at = 0; !reader.done; ) {
    const end = at + reader.next();
    all.fill(reader.next(), at, end);
    at = end;
  }
  return all;
}

/** Words are stored without the prefix that they share with the word before. */
function expandPrefixes(cut: readonly string[]): string[] {
  let previous = "";
  return cut.map((word) => {
    previous = previous.slice(0, new NumberReader(word).value()) + word.slice(1);
    return previous;
  });
}

/** The last index whose element is not greater than `value`, by binary search; 0 if there is none. */
export function placeIn<T extends number | string>(sorted: ArrayLike<T>, value: T): number {
  let low = 0;
  let high = sorted.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= value) low = middle;
    else high = middle;
  }
  return low;
}
