import { createHash, randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../../lib/attempt.js";
import { readChecked, writeChecked } from "../../lib/cache/index.js";
import { lazy } from "../../lib/memo.js";
import { fileHash } from "../../lib/short-hash.js";
import { waitForFiles } from "../../lib/wait-for-files.js";
import type { BundleFile } from "../archive/index.js";
import { readLists, type SortedList, type TermOrder } from "./posting-lists.js";
import { createTermTable } from "./term-table.js";

/** The cache folder of the last export, and its files. */
export interface IndexCacheOptions {
  /** Absolute. */
  readonly folder: string;
  /** Puts a file of the previous bundle into the new one, if it is there unchanged. */
  readonly takeFile: (file: BundleFile) => boolean;
}

/** What an index needs to know of a record that it has already. */
export interface CachedRecord {
  readonly entryBytes: number;
  readonly entryCount: number;
  /** See `namesIn`. */
  readonly names: string;
}

interface Head {
  /** SHA-256 of the file of postings. */
  readonly sha256: string;
  readonly terms: number;
  readonly indexes: readonly (readonly [id: string, lists: CachedLists])[];
}
interface CachedLists {
  /** Where they begin and end in the file of postings, in bytes. */
  readonly start: number;
  readonly end: number;
  /** In page order; the digest is empty for a record that is not stored. */
  readonly records: readonly (readonly [digest: string, entryBytes: number, entryCount: number, names: string])[];
}

export type IndexCache = ReturnType<typeof openIndexCache>;

/** So few other records are read anew in the next run, too: to write all lists again takes longer. */
const maxOtherRecords = 32;

/** An earlier export's postings and sections, so that only new records are read. A damaged file counts as missing. */
export function openIndexCache({ folder, takeFile }: IndexCacheOptions) {
  const paths = {
    sections: join(folder, "search"),
    terms: join(folder, "search-terms"),
    postings: join(folder, "search-postings"),
  };
  const before = openLists(paths);
  const table = createTermTable(before?.table);
  const stored = new Map(before?.head.indexes.map(([id, lists]) => [id, createStoredIndex(before.file, lists)]));
  const storedRecords = new Map<string, CachedRecord>();
  for (const [, { records }] of before?.head.indexes ?? [])
    for (const [digest, entryBytes, entryCount, names] of records)
      if (digest !== "") storedRecords.set(digest, { entryBytes, entryCount, names });
  const cachedSections = new Map<string, BundleFile>(parsed(readChecked(paths.sections)) ?? []);
  const sections: [string, BundleFile][] = [];
  const used = new Map<string, CachedLists["records"][number][]>();
  let writer: ReturnType<typeof createListWriter> | undefined;
  const written: [string, CachedLists][] = [];

  /** Whether so much has changed since the lists were written that they are written again. */
  const isOutdated = lazy(
    (): boolean =>
      stored.size !== used.size ||
      [...used].some(([id, records]) => (stored.get(id)?.others(records) ?? Infinity) > maxOtherRecords),
  );

  return {
    table,
    /** Number of terms of the stored lists; these have the numbers of their order. */
    sortedTerms: table.size,
    takeFile,
    has: (digest: string): boolean => storedRecords.has(digest),
    /** Undefined if one of these indexes does not have it. */
    find: (digest: string, ids: readonly string[]): CachedRecord | undefined =>
      ids.every((id) => stored.get(id)?.has(digest)) ? storedRecords.get(digest) : undefined,
    /** The lists of an index. */
    index: (id: string): StoredIndex | undefined => stored.get(id),
    /** To be called for each record of an index, in page order. */
    note(id: string, digest: string | undefined, { entryBytes, entryCount, names }: CachedRecord): void {
      const records = used.get(id) ?? [];
      used.set(id, records);
      records.push([digest ?? "", entryBytes, entryCount, names]);
    },
    /** Passes the lists of an index on, and stores them if need be. To be called after all records of all indexes. */
    *kept(id: string, lists: Iterable<SortedList>): Iterable<SortedList> {
      if (!isOutdated()) return yield* lists;
      writer ??= createListWriter(`${paths.postings}.${randomBytes(6).toString("hex")}`);
      const start = writer.end();
      for (const list of lists) {
        writer.put(list);
        yield list;
      }
      written.push([id, { start, end: writer.end(), records: used.get(id) ?? [] }]);
    },
    /** A file of sections. @param key its name and the digests of its records */
    section: (key: string): BundleFile | undefined => cachedSections.get(key),
    keepSection: (key: string, file: BundleFile): void => void sections.push([key, file]),
    /** After the last index. A failure is ignored. */
    save({ terms }: TermOrder): void {
      if (sections.length !== cachedSections.size || sections.some(([key]) => !cachedSections.has(key)))
        writeChecked(paths.sections, Buffer.from(JSON.stringify(sections)));
      if (!writer) return;
      // Terms that no page has any more only cost time: without its head, all is made anew by the next run.
      rmSync(paths.terms, { force: true });
      if (2 * writer.places.size < terms.length) return;
      const sha256 = writer.close(paths.postings);
      if (sha256 === undefined) return;
      const sorted = createTermTable();
      for (const term of terms) sorted.numberOf(term);
      const head: Head = { sha256, terms: terms.length, indexes: written };
      writeChecked(paths.terms, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), sorted.dump()]));
    },
    /** Removes what is unfinished. */
    close(): void {
      if (before) closeSync(before.file);
      writer?.discard();
    },
  };
}

export type StoredIndex = ReturnType<typeof createStoredIndex>;

function createStoredIndex(file: number, { start, end, records }: CachedLists) {
  const firsts = new Map<string, number>();
  let entryCount = 0;
  for (const [digest, , count] of records) {
    if (digest !== "") firsts.set(digest, entryCount);
    entryCount += count;
  }
  const taken = new Set<string>();
  return {
    entryCount,
    read: () => readLists(file, start, end),
    /** Whether it has a record that has not been taken yet. */
    has: (digest: string): boolean => firsts.has(digest) && !taken.has(digest),
    /** First entry of a record. */
    take(digest: string): number {
      taken.add(digest);
      return firsts.get(digest)!;
    },
    /** Number of records that only one of the two indexes has, or in another order. */
    others(now: CachedLists["records"]): number {
      let same = 0;
      let last = -1;
      for (const [digest] of now) {
        const first = firsts.get(digest) ?? -1;
        if (first > last) same++;
        last = Math.max(last, first);
      }
      return Math.max(now.length, records.length) - same;
    },
  };
}

function openLists({ terms, postings }: { readonly terms: string; readonly postings: string }) {
  const bytes = readChecked(terms);
  if (!bytes) return undefined;
  let file: number | undefined;
  try {
    const headEnd = bytes.indexOf(10);
    const head = JSON.parse(bytes.toString("utf8", 0, headEnd)) as Head;
    file = waitForFiles(() => openSync(postings, "r"));
    if (fileHash(file)?.toString("hex") === head.sha256)
      return { head, file, table: { size: head.terms, bytes: new Uint8Array(bytes.subarray(headEnd + 1)) } };
  } catch {
    // It is missing, or another program has written it.
  }
  if (file !== undefined) closeSync(file);
  return undefined;
}

const parsed = (bytes: Buffer | undefined) => (bytes ? JSON.parse(bytes.toString("utf8")) : undefined);

const bufferBytes = 1 << 18;

/** Writes lists, as `readLists` reads them. A failure is ignored, since no run depends on a cache. */
function createListWriter(draft: string) {
  const hash = createHash("sha256");
  const waiting = new Uint32Array(bufferBytes / 4);
  let used = 0;
  let end = 0;
  let file: number | undefined;
  let isUsable = true;
  const write = (numbers: Uint32Array): void => {
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    end += bytes.length;
    if (!isUsable || bytes.length === 0) return;
    try {
      mkdirSync(dirname(draft), { recursive: true });
      file ??= waitForFiles(() => openSync(draft, "wx"));
      hash.update(bytes);
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    } catch {
      isUsable = false;
    }
  };
  const flush = (): void => {
    write(waiting.subarray(0, used));
    used = 0;
  };
  const places = new Set<number>();
  return {
    /** Terms that have been written. */
    places,
    put({ place, postings }: SortedList): void {
      places.add(place);
      if (used + 2 + postings.length > waiting.length) flush();
      waiting[used++] = place;
      waiting[used++] = postings.length;
      if (used + postings.length > waiting.length) {
        flush();
        write(postings);
      } else {
        waiting.set(postings, used);
        used += postings.length;
      }
    },
    /** Bytes so far. */
    end(): number {
      flush();
      return end;
    },
    /** Gives the hash of all; undefined after a failure. */
    close(target: string): string | undefined {
      flush();
      if (!isUsable || file === undefined) return undefined;
      return attempt(() => {
        renameSync(draft, target);
        return hash.digest("hex");
      });
    },
    /** Also after `close`. */
    discard(): void {
      if (file !== undefined) closeSync(file);
      rmSync(draft, { force: true });
    },
  };
}
