import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { threadId } from "node:worker_threads";
import { waitForFiles } from "../../lib/wait-for-files.js";
import type { BundleFile } from "../archive/index.js";
import { isCommonWord } from "./engine/vocabulary.js";
import type { IndexCache } from "./index-cache.js";
import { type SearchChoices, weightStep } from "./index-format.js";
import { createIndexWriter, type WriteFile } from "./index-writer.js";
import type { PageWords } from "./page-words.js";
import { createPostingLists, maxHeldPostings, type TermOrder } from "./posting-lists.js";
import type { ReaderQuestions } from "./reader-questions.js";
import type { SearchScope } from "./scopes.js";
import { createRecordReader, entryOf } from "./search-record.js";
import { createTermTable, type TermTable } from "./term-table.js";
import { cutWords } from "./words.js";

export interface IndexerOptions {
  readonly scopes: readonly SearchScope[];
  /** Number of the product of each page of the site; 0 for none. */
  readonly products: ArrayLike<number>;
  readonly choices?: SearchChoices | undefined;
  /** Absolute; contains the records of the page threads, and temporary files. */
  readonly folder: string;
  readonly write: WriteFile;
  /** Of the last export. Without `questions`: their words are not in it. */
  readonly cache?: IndexCache | undefined;
  /** What readers would ask; their words find a section too. */
  readonly questions?: Pick<ReaderQuestions, "of"> | undefined;
}

/** The only search file with a fixed name. */
export const searchHeadPath = "offprint-search.js";
/** Heads together up to this size are in that file, so that a query waits for one file less. Browsers ask for it anew each visit. */
const maxInlineBytes = 16 * 1024;
/** Records are read in page order, this many at a time: much faster than one after each finished page. */
const pagesAtOnce = 32;
/** To a language model. */
const requestsAtOnce = 4;

/** Creates the search indexes of a site while its pages are rendered. */
export function createIndexer({ scopes, products, choices, folder, write, cache, questions }: IndexerOptions) {
  /** Products of pages that `add` appends. */
  const productsOf = [...Array.from(products)];
  const sources: (RecordSource | undefined)[] = new Array(products.length);
  const isDone = new Uint8Array(products.length);
  const files = openRecordFiles(folder);
  const digests: (string | undefined)[] = [];
  const table = cache?.table ?? createTermTable();
  const read = createRecordReader(table);
  const held = Math.max(100_000, Math.floor(maxHeldPostings / scopes.length));
  const indexes = scopes.map(({ id }) => {
    const lists = createPostingLists(join(folder, `postings-${id}`), held, cache?.index(id));
    return createIndexWriter(id, lists, write, cache);
  });
  const indexesOf = new Map<number, number[]>();
  for (const [at, { pages }] of scopes.entries())
    for (const page of pages) indexesOf.set(page, [...(indexesOf.get(page) ?? []), at]);
  /** First unread and first unfinished page. */
  let unread = 0;
  let undone = 0;

  /** Of pages that are read next, by their number. */
  const questionsOf = new Map<number, readonly string[]>();
  /** Asks for the questions of the pages up to `end`, several at once. */
  const askTo = async (end: number): Promise<void> => {
    const pages = Array.from({ length: end - unread }, (_, i) => unread + i).values();
    const askOne = async (): Promise<void> => {
      for (const page of pages) {
        const source = sources[page];
        if (!source || !indexesOf.has(page)) continue;
        const record = "digest" in source ? source.read() : files.read(source);
        // A record is valid until the next one is read.
        questionsOf.set(page, await questions!.of(Uint8Array.from(entryOf(record))));
      }
    };
    await Promise.all(Array.from({ length: requestsAtOnce }, askOne));
  };

  const readTo = (end: number): void => {
    for (; unread < end; unread++) {
      const source = sources[unread];
      const into = indexesOf.get(unread);
      if (!source || !into) continue;
      sources[unread] = undefined;
      const product = productsOf[unread]!;
      const isStored = "digest" in source;
      const digest = isStored ? source.digest : digests[unread];
      const ids = () => into.map((at) => scopes[at]!.id);
      const known = isStored ? cache?.find(source.digest, ids()) : undefined;
      if (known) {
        const entry = { bytes: known.entryBytes, read: () => entryOf((source as StoredRecord).read()) };
        for (const at of into) indexes[at]!.add(known, entry, product, digest);
        continue;
      }
      const { words: own, entry, names } = read(isStored ? source.read() : files.read(source));
      const asked = questionsOf.get(unread);
      const words = asked === undefined ? own : addReaderWords(own, asked, table);
      questionsOf.delete(unread);
      const { entryCount } = words;
      for (const at of into)
        indexes[at]!.add({ entryCount, names, words }, { bytes: entry.length, now: entry }, product, digest);
    }
  };

  return {
    /**
     * To be called for each finished page, in any order.
     *
     * @param source undefined for a page that is not searchable.
     * @param digest of a record of this run that later runs will have as a stored one.
     */
    take(page: number, source: RecordSource | undefined, digest?: string): void {
      sources[page] = source;
      digests[page] = digest;
      isDone[page] = 1;
      while (isDone[undone] === 1) undone++;
      // Questions are asked for at the end, since nobody waits here.
      if (undone - unread >= pagesAtOnce && !questions) readTo(undone);
    },
    /** To be called in order, after all pages of the site, for a page that is searched with page `like`. */
    add(like: number, source: RecordSource | undefined, digest?: string): void {
      const into = indexesOf.get(like);
      if (into) indexesOf.set(productsOf.length, into);
      sources[productsOf.length] = source;
      digests[productsOf.length] = digest;
      productsOf.push(productsOf[like]!);
    },
    /** Writes the indexes after the last page. Stops: once `signal` aborts, rejects with its reason. */
    async finish(signal?: AbortSignal): Promise<readonly BundleFile[]> {
      const pageCount = productsOf.length;
      for (let end = unread; end < pageCount; ) {
        await setImmediate();
        signal?.throwIfAborted();
        end = Math.min(pageCount, end + pagesAtOnce);
        if (questions) await askTo(end);
        readTo(end);
      }
      if (indexes.length === 0) return [];
      const order = orderOf(table.terms(), cache?.sortedTerms ?? 0);
      const finished = [];
      for (const index of indexes) {
        await setImmediate();
        signal?.throwIfAborted();
        finished.push(index.finish(order));
      }
      const isInline = JSON.stringify(finished.map(({ head }) => head)).length <= maxInlineBytes;
      const heads = JSON.stringify(
        finished.map((each, at) => (isInline ? indexes[at]!.putTables(each) : indexes[at]!.putHead(each))),
      );
      cache?.save(order);
      const written = finished.flatMap(({ files }) => files);
      const data = choices === undefined ? heads : `${heads},${JSON.stringify(choices)}`;
      return [...written, write(searchHeadPath, Buffer.from(`offprintSearch("",${data});\n`))];
    },
    /** Closes and removes temporary files; to be called in any case. */
    close(): void {
      files.close();
      cache?.close();
      for (const index of indexes) index.close();
    },
  };
}

/** @param sorted number of terms, the first ones, that are in order already */
function orderOf(byNumber: readonly string[], sorted: number): TermOrder {
  const added = Uint32Array.from({ length: byNumber.length - sorted }, (_, i) => sorted + i).sort((a, b) =>
    byNumber[a]! < byNumber[b]! ? -1 : 1,
  );
  const terms: string[] = [];
  const locationOf = new Uint32Array(byNumber.length);
  const take = (number: number): void => {
    locationOf[number] = terms.length;
    terms.push(byNumber[number]!);
  };
  let next = 0;
  for (const number of added) {
    while (next < sorted && byNumber[next]! < byNumber[number]!) take(next++);
    take(number);
  }
  while (next < sorted) take(next++);
  return { terms, locationOf };
}

/** Weight of a word that only readers use: a text that has it counts more. */
const ofReaders = weightStep(0.3);

/** Adds words to the entries of a page, unless the entry has them. @param texts of each entry, from the first on */
function addReaderWords(page: PageWords, texts: readonly string[], table: TermTable): PageWords {
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

/** Location of a page's record until the index is written. */
export interface RecordPlace {
  /** Number of the thread. */
  readonly thread: number;
  /** In bytes. */
  readonly at: number;
  readonly length: number;
}

/** A record of an earlier run. */
export interface StoredRecord {
  readonly digest: string;
  /** Valid until the next record is asked for. */
  read(): Uint8Array;
}

/** A record of this run, or of an earlier one. */
export type RecordSource = RecordPlace | StoredRecord;

const recordsPath = (folder: string, thread: number): string => join(folder, `records-${thread}`);

/** Appends records to a file of this thread in `folder`. The first one creates the file, which stays open. */
export function createRecordFile(folder: string): (record: Uint8Array) => RecordPlace {
  let file: number | undefined;
  let at = 0;
  return (record) => {
    file ??= waitForFiles(() => openSync(recordsPath(folder, threadId), "w"));
    for (let done = 0; done < record.length; ) done += writeSync(file, record, done);
    const place = { thread: threadId, at, length: record.length };
    at += record.length;
    return place;
  };
}

/** Reads records from the files of all threads. A record is valid until the next call. */
export function openRecordFiles(folder: string): { read(place: RecordPlace): Buffer; close(): void } {
  const files = new Map<number, number>();
  let buffer = Buffer.alloc(1 << 18);
  return {
    read({ thread, at, length }) {
      let file = files.get(thread);
      if (file === undefined) {
        file = waitForFiles(() => openSync(recordsPath(folder, thread), "r"));
        files.set(thread, file);
      }
      if (buffer.length < length) buffer = Buffer.alloc(2 * length);
      for (let done = 0; done < length; ) {
        const read = readSync(file, buffer, done, length - done, at + done);
        if (read === 0) throw new Error(`The records of thread ${thread} end before ${at + length}.`);
        done += read;
      }
      return buffer.subarray(0, length);
    },
    close() {
      for (const file of files.values()) closeSync(file);
      files.clear();
    },
  };
}
