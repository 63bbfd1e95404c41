import { hash } from "node:crypto";
import { shortHash } from "../../lib/short-hash.js";
import type { BundleFile } from "../archive/index.js";
import pairs from "./chinese-variants.json" with { type: "json" };
import { numberText } from "./codec.js";
import type { IndexCache } from "./index-cache.js";
import { firstPart, type IndexHead, type PageEntry, weightSteps, withoutRepeatedParts } from "./index-format.js";
import type { PageWords } from "./page-words.js";
import type { PostingLists, TermOrder } from "./posting-lists.js";
import { type FoundWord, synonymsAmong, tableFile, tableWordOf } from "./table-file.js";
import { createCommonWords, createTermFile, type TermPart, termData, withPrefixes } from "./term-file.js";
import { grown } from "./term-table.js";

/** Writes a file of the bundle. @param sha256 of the bytes in hexadecimal, if known. */
export type WriteFile = (outputPath: string, bytes: Uint8Array, sha256?: string) => BundleFile;

/**
 * A part of the terms, or a file of pages, ends at this size. A longer page goes on in other files. Words that share their first
 * letters stay in one part, up to half as much more: a query reads all forms of its words.
 */
const termPartBytes = 60 * 1024;
const sharedLetters = 3;
const sectionFileBytes = 28 * 1024;
const longPageBytes = 40 * 1024;

/** Pages with at least so many parts are of a reference, which repeats most parts: more of them share a file. */
const manyParts = 8;
const shortPartBytes = 300;
const shortPartShare = 1 / 3;

/** A term in more entries than both limits keeps only its best entries and those with it in the title. */
const frequentCount = 1000;
const frequentPart = 0.12;
const maxFrequentEntries = 1000;

/**
 * Most entries of a word in the file of the tables' words, which every search loads: the more entries the index has, the fewer
 * of them. On a site of 5,000 pages 62 entries a word find as many pages as 113 do, which are 105 kB more on the wire; with 28,
 * three questions in a hundred lose theirs.
 */
const maxTableEntries = (entryCount: number): number => Math.min(250, Math.max(45, Math.ceil(2_400_000 / entryCount)));

/** With at most so many parts of terms, a file has three of them: a question needs nearly all. */
const mostJoinedParts = 8;
const partsInFile = 3;

/** JSON of a page's `PageEntry`: read already, or read only if the file of sections is another one. */
interface EntrySource {
  readonly bytes: number;
  readonly now?: Uint8Array;
  readonly read?: () => Uint8Array;
}

interface RecordWords {
  readonly entryCount: number;
  /** See `namesIn`. */
  readonly names: string;
  readonly words?: PageWords;
}

/**
 * Writes one index: add the pages in order, then finish.
 *
 * @param lists empty, for the postings of the index.
 * @param cache files of sections with the same records are taken from the previous bundle.
 */
export function createIndexWriter(id: string, lists: PostingLists, write: WriteFile, cache?: IndexCache) {
  const files: BundleFile[] = [];
  /** Returns the hash in the name of the file. */
  const put = (name: string, ...data: readonly Uint8Array[]): string => {
    const bytes = Buffer.concat([Buffer.from(`offprintSearch("${name}",`), ...data, Buffer.from(");\n")]);
    const sha256 = hash("sha256", bytes, "hex");
    const inName = sha256.slice(0, 8);
    files.push(write(`_offprint/search/${name}.${inName}.js`, bytes, sha256));
    return inName;
  };
  const sectionKey = (number: number, digests: readonly string[]): string =>
    `${id}/s${number} ${shortHash(digests.join("\n"))}`;
  const sections = createSectionFiles({
    put(number, data, digests) {
      const inName = put(`${id}/s${number}`, data);
      if (digests) cache?.keepSection(sectionKey(number, digests), files.at(-1)!);
      return inName;
    },
    take(number, digests) {
      const key = sectionKey(number, digests);
      const file = cache?.section(key);
      if (!cache || !file || !cache.takeFile(file)) return undefined;
      files.push(file);
      cache.keepSection(key, file);
      return file.sha256.slice(0, 8);
    },
  });
  const products = createRuns();
  const names: string[] = [];

  const writeTerms = (order: TermOrder) => {
    const words = createCommonWords();
    const chinese = createChineseCheck();
    const file = createTermFile();
    // Kept until it is clear whether the index has a file of them.
    const found: FoundWord[] = [];
    const inTables = new Set<string>();
    const firsts: string[] = [];
    const hashes: string[] = [];
    /** Not written yet. */
    const parts: (TermPart & { readonly first: string })[] = [];
    let first = "";
    let previous = "";
    const putParts = (each: number): void => {
      while (parts.length > 0) {
        const joined = parts.splice(0, each);
        firsts.push(joined[0]!.first);
        hashes.push(put(`${id}/t${hashes.length}`, termData(joined)));
      }
    };
    const end = (): void => {
      parts.push({ first, ...file.take() });
      if (parts.length > mostJoinedParts) putParts(1);
    };
    const partsDone = (): number => hashes.length + parts.length;
    const sorted = lists.sorted(order);
    for (const { term, postings, inTitle } of withPrefixes(cache?.kept(id, sorted) ?? sorted, partsDone)) {
      const count = postings.length;
      const isFrequent = count > frequentCount && count > frequentPart * sections.entries;
      const isFull = file.bytes >= termPartBytes && !term.startsWith(previous.slice(0, sharedLetters));
      if (isFull || file.bytes >= 1.5 * termPartBytes) end();
      previous = term;
      if (file.isEmpty) first = term;
      const best = isFrequent ? weightiest(postings, maxFrequentEntries) : postings;
      file.add(term, count, best);
      const tableWord = tableWordOf(term);
      if (tableWord !== undefined) {
        inTables.add(tableWord);
        if (tableWord < "\u0e00")
          found.push([term, count, weightiest(best, maxTableEntries(sections.entries), false).slice()]);
      }
      words.add(term, postings.length, inTitle);
      chinese.add(term, count);
    }
    if (!file.isEmpty) end();
    const isSmall = hashes.length === 0;
    putParts(isSmall ? partsInFile : 1);
    const common = words.take();
    return {
      firsts,
      hashes,
      words: common === "" ? "" : put(`${id}/w`, Buffer.from(common)),
      tables: [
        isSmall ? Buffer.from('"",""') : tableFile(found),
        Buffer.from(`,${JSON.stringify(synonymsAmong(inTables))},${JSON.stringify(names.join("\n"))}`),
      ],
      variants: chinese.isChinese ? put(`${id}/z`, Buffer.from(`"${chineseVariants}"`)) : undefined,
    };
  };

  return {
    /**
     * @param words absent if the stored lists of the index have those of the record
     * @param product its number; 0 for none
     * @param digest of the record, if later runs will have it
     */
    add({ entryCount, names: ofPage, words }: RecordWords, entry: EntrySource, product: number, digest?: string): void {
      if (words) lists.add(words, sections.entries);
      else lists.reuse(cache!.index(id)!.take(digest!), entryCount, sections.entries);
      cache?.note(id, digest, { entryBytes: entry.bytes, entryCount, names: ofPage });
      sections.add(entry, entryCount, digest);
      products.add(product);
      names.push(ofPage);
    },
    /** Writes the rest, but for the head and the tables. `files` are all files of the index. */
    finish(order: TermOrder): FinishedIndex {
      sections.end();
      const { firsts, hashes, words, tables, variants } = writeTerms(order);
      const head: IndexHead = {
        version: 3,
        terms: firsts.join(" "),
        pages: sections.pageSizes,
        sections: sections.fileSizes,
        hashes: [...hashes, ...sections.hashes, words].join(""),
        tableWords: undefined,
        variants,
        products: products.text(),
      };
      return { head, tables, files };
    },
    /** Writes a file for the tables and returns the head that names it. */
    putTables: ({ head, tables }: FinishedIndex): IndexHead => ({ ...head, tableWords: put(`${id}/k`, ...tables) }),
    /** Writes a file for the head and the tables, and returns the hash in its name. */
    putHead: ({ head, tables }: FinishedIndex): string => put(id, Buffer.from(`${JSON.stringify(head)},`), ...tables),
    /** Removes temporary files. */
    close: (): void => lists.close(),
  };
}

interface FinishedIndex {
  readonly files: readonly BundleFile[];
  readonly head: IndexHead;
  readonly tables: readonly Uint8Array[];
}

/** The postings with the highest weights, and all in titles with `withTitles`. */
function weightiest(postings: Uint32Array, most: number, withTitles = true): Uint32Array {
  if (postings.length <= most) return postings;
  const counts = new Uint32Array(2 * weightSteps);
  for (let i = 0; i < postings.length; i++) counts[postings[i]! & 127]!++;
  let least = withTitles ? weightSteps : counts.length;
  let room = most;
  while (least > 0 && counts[least - 1]! <= room) room -= counts[--least]!;
  const best = new Uint32Array(most + counts.subarray(weightSteps).reduce((sum, count) => sum + count, 0));
  let count = 0;
  for (let i = 0; i < postings.length; i++) {
    const value = postings[i]! & 127;
    // The first postings of the next lower weight fill the remaining room.
    if (value >= least || (value === least - 1 && room-- > 0)) best[count++] = postings[i]!;
  }
  return best.subarray(0, count);
}

interface SectionFileActions {
  /** Gives the hash in the name of the file. @param digests of the records; absent if one of them has none. */
  readonly put: (number: number, data: Uint8Array, digests: readonly string[] | undefined) => string;
  /** The same for a file that need not be made. */
  readonly take: (number: number, digests: readonly string[]) => string | undefined;
}

/** The texts of pages, several in a file. */
function createSectionFiles({ put, take }: SectionFileActions) {
  const hashes: string[] = [];
  let data = new Uint8Array(4 * sectionFileBytes);
  /** Bytes in `data`, which the first new entry of the file begins to fill. */
  let used = 0;
  let unread: EntrySource[] = [];
  /** With those of `unread`; less for pages whose parts repeat. */
  let bytes = 0;
  let hasRepeated = false;
  let entriesInFile = 0;
  let digests: string[] | undefined = [];
  const append = (page: Uint8Array): void => {
    const most = used + 1 + page.length;
    if (most > data.length) data = grown(data, 2 * most);
    if (used > 0) data[used++] = comma;
    data.set(page, used);
    used += page.length;
  };
  const readAll = (): void => {
    for (const entry of unread) append(entry.read!());
    unread = [];
  };
  const files = {
    hashes,
    /** Number of entries so far. */
    entries: 0,
    pageSizes: "",
    fileSizes: "",
    add(entry: EntrySource, entryCount: number, digest: string | undefined): void {
      files.entries += entryCount;
      files.pageSizes += numberText(entryCount);
      const isRepeated = entryCount >= manyParts && entry.bytes < shortPartBytes * entryCount;
      if (isRepeated || entry.bytes < longPageBytes) {
        addEntry(entry, entryCount, isRepeated, digest);
        return;
      }
      files.end();
      for (const [at, { json, parts }] of splitPage(entry.now ?? entry.read!()).entries())
        addEntry({ bytes: json.length, now: json }, parts, false, digest && `${digest} ${at}`);
    },
    end(): void {
      if (entriesInFile === 0) return;
      const taken = unread.length > 0 ? take(hashes.length, digests!) : undefined;
      if (taken === undefined) readAll();
      const entries = data.subarray(0, used);
      hashes.push(taken ?? put(hashes.length, hasRepeated ? withoutRepeatedParts(entries) : entries, digests));
      files.fileSizes += numberText(entriesInFile);
      used = 0;
      unread = [];
      bytes = 0;
      hasRepeated = false;
      entriesInFile = 0;
      digests = [];
    },
  };
  const addEntry = (entry: EntrySource, entryCount: number, isRepeated: boolean, digest: string | undefined): void => {
    if (digest === undefined) digests = undefined;
    digests?.push(digest!);
    if (entry.now) {
      readAll();
      append(entry.now);
    } else if (used > 0 || !digests) {
      readAll();
      append(entry.read!());
    } else unread.push(entry);
    hasRepeated ||= isRepeated;
    entriesInFile += entryCount;
    bytes += isRepeated ? entry.bytes * shortPartShare : entry.bytes;
    if (bytes >= sectionFileBytes) files.end();
  };
  return files;
}
const comma = 44;

/** Entries that each have some of the parts of a long page, in their order. */
function splitPage(entry: Uint8Array): { readonly json: Uint8Array; readonly parts: number }[] {
  const page = JSON.parse(new TextDecoder().decode(entry)) as PageEntry;
  const head = JSON.stringify(page.slice(0, firstPart)).slice(0, -1);
  const pieces: { json: Uint8Array; parts: number }[] = [];
  let piece = "";
  let parts = 0;
  const end = (): void => {
    if (parts > 0) pieces.push({ json: Buffer.from(`${head}${piece}]`), parts });
    piece = "";
    parts = 0;
  };
  for (const part of page.slice(firstPart)) {
    const json = `,${JSON.stringify(part)}`;
    if (piece.length + json.length > sectionFileBytes) end();
    piece += json;
    parts++;
  }
  end();
  return pieces;
}

/** Runs of equal numbers. */
function createRuns() {
  let done = "";
  let current = 0;
  let length = 0;
  const end = (): string => (length === 0 ? "" : numberText(length) + numberText(current));
  return {
    add(number: number): void {
      if (number !== current) {
        done += end();
        current = number;
        length = 0;
      }
      length++;
    },
    /** The length and the number of each run; undefined if all are 0. */
    text: (): string | undefined => (done === "" && current === 0 ? undefined : done + end()),
  };
}

/** Tells whether an index holds Chinese text, from its terms. */
function createChineseCheck() {
  let han = 0;
  let kana = 0;
  return {
    /** @param count number of entries that contain the term. */
    add(term: string, count: number): void {
      if (term.charCodeAt(0) < firstKana) return;
      if (isKana.test(term)) kana += count;
      else if (isHan.test(term)) han += count;
    },
    /** Japanese text has Chinese characters too, but more kana. */
    get isChinese(): boolean {
      return han > kana;
    },
  };
}

const firstKana = 0x3040;
const isKana = /[\u3041-\u30ff]/;
const isHan = /^\p{Script=Han}+$/u;

/**
 * The common traditional Chinese characters, each followed by its simplified form: those of level 1 of Big5 whose simplified
 * form is in GB 2312, 1890 in all. Made with the transform `Hant-Hans` of ICU 72.
 *
 * Copyright © 1991-2022 Unicode, Inc. Distributed under the Unicode License: https://www.unicode.org/license.txt
 */
const chineseVariants = pairs.join("");
