import { createHash, randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { readChecked, writeChecked } from "../../lib/cache/index.js";
import { waitForFiles } from "../../lib/wait-for-files.js";
import type { BundleFile } from "../archive/index.js";
import type { PageWords } from "./page-words.js";
import { createTermTable } from "./term-table.js";

/** The cache folder of the last export, and its files. */
export interface IndexCacheOptions {
  /** Absolute. */
  readonly folder: string;
  /** Puts a file of the previous bundle into the new one, if it is there unchanged. */
  readonly takeFile: (file: BundleFile) => boolean;
}

/** The words of a record, with the bytes of its entry. */
export interface CachedRecord {
  readonly entryBytes: number;
  readonly words: PageWords;
}

type RecordLine = readonly [digest: string, entryBytes: number, entryCount: number, count: number];
interface Head {
  /** SHA-256 of the other file: for each record its terms and its postings, then the table of terms. */
  readonly sha256: string;
  readonly records: readonly RecordLine[];
  readonly sections: readonly (readonly [key: string, file: BundleFile])[];
  readonly terms: number;
  /** Records that were left out since the terms were collected. */
  readonly dropped: number;
}

export type IndexCache = ReturnType<typeof openIndexCache>;

/**
 * The words of the records that the last export had, as numbers of terms, so that an export reads and counts only those of
 * records that are new. A record is named by its digest. A damaged file counts as missing.
 */
export function openIndexCache({ folder, takeFile }: IndexCacheOptions) {
  const paths = { head: join(folder, "search"), words: join(folder, "search-words") };
  const before = readCache(paths);
  const table = createTermTable(before?.table);
  const records = new Map<string, { readonly line: RecordLine; readonly at: number }>();
  let end = 0;
  for (const line of before?.head.records ?? []) {
    records.set(line[0], { line, at: end });
    end += 2 * line[3];
  }
  const cachedSections = new Map(before?.head.sections);
  const lines = new Map<string, RecordLine>();
  const sections: [string, BundleFile][] = [];
  let writer: ReturnType<typeof createNumberWriter> | undefined;

  const wordsOf = ({ line: [, , entryCount, count], at }: { line: RecordLine; at: number }): PageWords => {
    const numbers = before!.numbers;
    const middle = at + count;
    return {
      entryCount,
      count,
      areStored: true,
      terms: numbers.subarray(at, middle),
      postings: numbers.subarray(middle, middle + count),
    };
  };
  /** From the first new record on, all are written. */
  const begin = () => {
    if (writer) return writer;
    writer = createNumberWriter(`${paths.words}.${randomBytes(6).toString("hex")}`);
    for (const digest of lines.keys()) writer.put(wordsOf(records.get(digest)!));
    return writer;
  };

  return {
    table,
    takeFile,
    has: (digest: string): boolean => records.has(digest),
    /** Undefined if it is new. */
    find(digest: string): CachedRecord | undefined {
      const found = records.get(digest);
      if (!found) return undefined;
      const words = wordsOf(found);
      if (!lines.has(digest)) {
        lines.set(digest, found.line);
        writer?.put(words);
      }
      return { entryBytes: found.line[1], words };
    },
    /** To be called for each record that is not found. */
    keep(digest: string, { entryBytes, words }: CachedRecord): void {
      if (lines.has(digest)) return;
      begin().put(words);
      lines.set(digest, [digest, entryBytes, words.entryCount, words.count]);
    },
    /** A file of sections. @param key its name and the digests of its records */
    section: (key: string): BundleFile | undefined => cachedSections.get(key),
    keepSection: (key: string, file: BundleFile): void => void sections.push([key, file]),
    /** After the last record and section. A failure is ignored. */
    save(): void {
      const isSame = !writer && lines.size === records.size;
      if (isSame && sections.every(([key]) => cachedSections.has(key))) return;
      begin();
      const sha256 = writer!.end(table.dump(), paths.words);
      if (sha256 === undefined) return;
      let dropped = before?.head.dropped ?? 0;
      for (const digest of records.keys()) if (!lines.has(digest)) dropped++;
      const head: Head = { sha256, records: [...lines.values()], sections, terms: table.size, dropped };
      writeChecked(paths.head, Buffer.from(JSON.stringify(head)));
    },
    /** Removes what is unfinished. */
    close: (): void => writer?.close(),
  };
}

function readCache({ head: headPath, words }: { readonly head: string; readonly words: string }) {
  const text = readChecked(headPath);
  if (!text) return undefined;
  try {
    const head = JSON.parse(text.toString("utf8")) as Head;
    // Terms that no record has any more only cost time.
    if (head.dropped > 2 * head.records.length) return undefined;
    const bytes = readFileSync(words);
    if (createHash("sha256").update(bytes).digest("hex") !== head.sha256) return undefined;
    const count = head.records.reduce((sum, line) => sum + 2 * line[3], 0);
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : Buffer.allocUnsafeSlow(bytes.length).fill(bytes);
    const numbers = new Uint32Array(aligned.buffer, aligned.byteOffset, count);
    return { head, numbers, table: { size: head.terms, bytes: aligned.subarray(4 * count) } };
  } catch {
    return undefined;
  }
}

const bufferBytes = 1 << 18;

/** Writes numbers of 32 bits. A failure is ignored, since no run depends on a cache. */
function createNumberWriter(draft: string) {
  const hash = createHash("sha256");
  const waiting = Buffer.allocUnsafeSlow(bufferBytes);
  let used = 0;
  let file: number | undefined;
  let isUsable = true;
  const write = (bytes: Uint8Array): void => {
    if (!isUsable || bytes.length === 0) return;
    try {
      mkdirSync(join(draft, ".."), { recursive: true });
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
  const add = (bytes: Uint8Array): void => {
    if (used + bytes.length > bufferBytes) flush();
    if (bytes.length > bufferBytes) write(bytes);
    else {
      waiting.set(bytes, used);
      used += bytes.length;
    }
  };
  const close = (): void => {
    if (file === undefined) return;
    closeSync(file);
    file = undefined;
    rmSync(draft, { force: true });
  };
  return {
    put({ count, terms, postings }: PageWords): void {
      for (const numbers of [terms, postings]) add(new Uint8Array(numbers.buffer, numbers.byteOffset, 4 * count));
    },
    /** Gives the hash of all; undefined after a failure. */
    end(rest: Uint8Array, target: string): string | undefined {
      add(rest);
      flush();
      if (!isUsable || file === undefined) return undefined;
      try {
        renameSync(draft, target);
        return hash.digest("hex");
      } catch {
        return undefined;
      }
    },
    close,
  };
}
