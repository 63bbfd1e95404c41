import { NumberReader } from "../../bundle/search/codec.js";
import type { IndexHead, PageEntry } from "../../bundle/search/index-format.js";

/** Gives the data of a file of an index, by its path from the bundle's root and its name. */
export type LoadData = (path: string, name: string) => Promise<readonly unknown[]>;

/** One index as far as it is loaded: what a query does not need stays where it is. */
export interface IndexFiles {
  readonly entryCount: number;
  /** Page of each entry, and of each page its first entry; the last number is that of all entries. */
  readonly pageOf: Uint32Array;
  readonly firstOf: Uint32Array;
  /** First term of each file of terms. */
  readonly firstTerms: readonly string[];
  terms(file: number): Promise<TermFile>;
  page(page: number): Promise<PageEntry>;
  commonWords(): Promise<readonly CommonWord[]>;
}
export interface TermFile {
  /** Sorted by code unit. */
  readonly terms: readonly string[];
  /** See `index-format.ts`. */
  readonly postings: readonly string[];
}
export interface CommonWord {
  readonly word: string;
  /** The higher the more frequent. */
  readonly frequency: number;
}

/** Files of sections and terms are this large together at most, in number, so that a long search stays small. */
const mostKept = 64;

/**
 * Opens an index: `name` as the button names it.
 *
 * @throws {Error} as every function of it does, when a file cannot be loaded; asked again, it tries again.
 */
export function createIndexOpener(load: LoadData): (name: string) => Promise<IndexFiles> {
  const keep = createKeeper(mostKept);
  let heads: Promise<readonly string[]> | undefined;
  const headOf = async (name: string): Promise<string> => {
    heads ??= load("offprint-search.js", "").then(([hashes]) => hashes as string[]);
    heads.catch(() => {
      heads = undefined;
    });
    return (await heads)[Number(name)]!;
  };

  return async (name) => {
    const [head] = (await load(`_offprint/search/${name}.${await headOf(name)}.js`, name)) as [IndexHead];
    const firstOf = sums(head.pages);
    const firstPages = sums(head.sections);
    const firstTerms = head.terms === "" ? [] : head.terms.split(" ");
    const pageOf = new Uint32Array(firstOf.at(-1)!);
    for (let page = 0; page + 1 < firstOf.length; page++) pageOf.fill(page, firstOf[page], firstOf[page + 1]);
    /** Files are hashed in the order: terms, sections, words. */
    const file = (kind: string, number: number): Promise<readonly unknown[]> => {
      const at = kind === "t" ? number : firstTerms.length + (kind === "s" ? number : firstPages.length - 1);
      const own = `${name}/${kind}${kind === "w" ? "" : number}`;
      return load(`_offprint/search/${own}.${head.hashes.slice(8 * at, 8 * at + 8)}.js`, own);
    };
    return {
      entryCount: pageOf.length,
      pageOf,
      firstOf,
      firstTerms,
      terms: (number) =>
        keep(`${name}/t${number}`, async () => {
          const [terms, postings] = (await file("t", number)) as [string, string];
          return { terms: longer(terms.split(" ")), postings: postings.split(" ") };
        }),
      async page(page) {
        const number = placeIn(firstPages, page);
        const pages = await keep(`${name}/s${number}`, () => file("s", number) as Promise<readonly PageEntry[]>);
        return pages[page - firstPages[number]!]!;
      },
      commonWords: () =>
        keep(`${name}/w`, async () => {
          const isThere = head.hashes.length > 8 * (firstTerms.length + firstPages.length - 1);
          if (!isThere) return [];
          const [words] = (await file("w", 0)) as [string];
          const cut = words.split(" ");
          const whole = longer(cut.map((word) => word.slice(0, -1)));
          return whole.map((word, i) => ({ word, frequency: new NumberReader(cut[i]!.slice(-1)).value() }));
        }),
    };
  };
}

/** Promises of what was asked for last; failed ones are forgotten. */
function createKeeper(most: number) {
  const kept = new Map<string, Promise<unknown>>();
  return <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const value = (kept.get(key) as Promise<T> | undefined) ?? make();
    kept.delete(key);
    kept.set(key, value);
    value.catch(() => kept.delete(key));
    if (kept.size > most) kept.delete(kept.keys().next().value!);
    return value;
  };
}

/** Running sums of numbers, from 0 on. */
function sums(text: string): Uint32Array {
  const reader = new NumberReader(text);
  const all = [0];
  while (!reader.done) all.push(all.at(-1)! + reader.next());
  return Uint32Array.from(all);
}

/** Words with what each shares with the one before. */
function longer(cut: readonly string[]): string[] {
  let previous = "";
  return cut.map((word) => {
    previous = previous.slice(0, new NumberReader(word).value()) + word.slice(1);
    return previous;
  });
}

/** The last place whose value is not above `value`; `sorted` begins with 0 or less. */
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
