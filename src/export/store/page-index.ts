import { hash, randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isPackName, type PackPlace, pagesName, readCheckedLines, writeCheckedLines } from "../../lib/cache/index.js";
import { fieldsOf } from "../../lib/json/index.js";
import { buildId } from "../../lib/package-root.js";
import type { PageRecord, PageResult } from "../pages/thread-messages.js";

/**
 * Folder of the stored pages of a site: another one for each version of this program.
 *
 * @param site the option `cacheName`, or the absolute folder of the site.
 */
export const storeFolderOf = (cacheFolder: string, site: string): string => {
  const key = JSON.stringify([buildId(), process.versions.node, site]);
  return join(cacheFolder, pagesName, hash("sha256", key, "hex").slice(0, 16));
};

/** Few new entries are added in an index of their own, up to this number of them. */
const mostAdded = 8;

/** What part of all entries is few. */
const fewOf = 16;

const wholeName = "index";

/** Other processes write these: each has some pages, until an export of the site puts them into `index`. */
const isPartialName = (name: string): boolean => /^index-[0-9a-z-]{1,64}$/.test(name);

type StoreIndexes = ReturnType<typeof openStoreIndexes>;

/** The indexes of a folder of stored pages. */
export function openStoreIndexes(folder: string) {
  const names = partialNames(folder);
  const newestFirst = [wholeName, ...names]
    .map((name) => ({ name, time: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.time - a.time);
  const entries = new Map<string, StoreEntry[]>();
  /** Number of partial indexes that earlier runs have left. */
  const left = names.length;
  const written = new WeakSet<StoreEntry>();
  let wholeCount = 0;
  const add = (name: string): void => {
    const read = readEntries(folder, name);
    if (name === wholeName) wholeCount = read.length;
    for (const entry of read) entries.set(entry.page, [entry, ...(entries.get(entry.page) ?? [])]);
  };
  for (const { name } of newestFirst.toReversed()) add(name);
  return {
    /** Those of each page, newest first. */
    entries: entries as ReadonlyMap<string, readonly StoreEntry[]>,
    /** Adds what another folder has: packs, and the partial indexes of other processes. */
    takeOver(from: string): void {
      try {
        mkdirSync(folder, { recursive: true });
        const all = readdirSync(from);
        // A pack only grows, and this run may write one of these.
        for (const name of all)
          if (isPackName(name) && sizeOf(folder, name) < sizeOf(from, name)) copyFile(from, folder, name);
        for (const name of all) {
          if (!isPartialName(name) || names.includes(name)) continue;
          copyFile(from, folder, name);
          names.push(name);
          add(name);
        }
      } catch {
        // The pages are made here.
      }
    },
    /** Replaces the indexes that were read. @param mayAdd few new entries may be added to them. Gives whether they were. */
    replace(kept: readonly StoreEntry[], mayAdd: boolean): boolean {
      const fresh = kept.filter((entry) => !wasRead(entry) && !written.has(entry));
      const areFew = fresh.length * fewOf <= wholeCount && left < mostAdded;
      if (mayAdd && wholeCount > 0 && areFew) {
        const name = `${wholeName}-${randomBytes(8).toString("hex")}`;
        if (fresh.length === 0 || write(folder, name, fresh)) return true;
      }
      // The order in which pages end is by chance.
      const sorted = kept.toSorted((a, b) => (a.page < b.page ? -1 : 1));
      if (write(folder, wholeName, sorted)) for (const name of names) rmSync(join(folder, name), { force: true });
      return false;
    },
    /** @param name of lower-case letters, digits and hyphens. */
    writePartial(name: string, kept: readonly StoreEntry[]): boolean {
      names.push(`${wholeName}-${name}`);
      if (!write(folder, `${wholeName}-${name}`, kept)) return false;
      for (const entry of kept) written.add(entry);
      return true;
    },
    /** Packs that other processes have named since. */
    packsOfOthers: (): string[] =>
      partialNames(folder).flatMap((name) =>
        readEntries(folder, name)
          .flatMap(placesOf)
          .map(([pack]) => pack),
      ),
  };
}

function partialNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isPartialName).toSorted();
  } catch {
    return [];
  }
}

const readEntries = (folder: string, name: string): StoreEntry[] =>
  Array.from(readCheckedLines(join(folder, name)), entryOfLine).flat();

const write = (folder: string, name: string, entries: readonly StoreEntry[]): boolean =>
  writeCheckedLines(join(folder, name), linesToWrite(entries));

function* linesToWrite(entries: readonly StoreEntry[]) {
  for (const entry of entries) yield lineOf(entry);
}

const sizeOf = (folder: string, name: string): number =>
  statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? -1;

/** A reader of the old file goes on with it. */
function copyFile(from: string, to: string, name: string): void {
  const draft = join(to, `${name}.${randomBytes(6).toString("hex")}`);
  copyFileSync(join(from, name), draft);
  renameSync(draft, join(to, name));
}

/** What the store knows of a page. */
export interface StoreEntry {
  /** Output path of the page. */
  readonly page: string;
  /** `Worlds.whole` when all of the entry was right. */
  readonly whole: string;
  /** Everything that its document depends on, but files. */
  readonly world: string;
  readonly body?: {
    readonly at: PackPlace;
    /** The page's record for the search; absent for a page that search excludes. */
    readonly record?: PackPlace;
  };
  /** What the body and the document have read of files: questions and answers in turn. */
  readonly fileReads: readonly string[];
  readonly record: Omit<PageRecord, "inputs">;
  readonly models: readonly Omit<PageResult["models"][number], "like">[];
  /** Number of exports since the page was in one. */
  readonly unused?: number;
  /** All that was read, in the same form; undefined if it is not by this program. */
  readonly reads: () => EntryReads | undefined;
}
export interface EntryReads {
  readonly body: readonly string[];
  readonly document: readonly string[];
}

export const placesOf = ({ body }: StoreEntry): PackPlace[] =>
  body ? [body.at, ...(body.record ? [body.record] : [])] : [];

/** A line has the whole world, the entry and its reads, which are seldom needed. JSON has no tabs outside of texts. */
const tab = 9;

/** Lines of entries that were read: most of them are written again as they are. */
const lines = new WeakMap<StoreEntry, Uint8Array>();

const wasRead = (entry: StoreEntry): boolean => lines.has(entry);

/** An index may come from another machine: what is not an entry counts as missing. */
function entryOfLine(line: Buffer): StoreEntry[] {
  const at = line.indexOf(tab);
  const end = line.indexOf(tab, at + 1);
  try {
    const known = JSON.parse(line.toString("utf8", at + 1, end));
    if (at < 0 || end < 0 || !isEntry(known)) return [];
    const whole = line.toString("latin1", 0, at);
    const entry = { ...(known as Omit<StoreEntry, "whole" | "reads">), whole, reads: () => readsIn(line, end + 1) };
    lines.set(entry, line);
    return [entry];
  } catch {
    return [];
  }
}

function readsIn(line: Buffer, at: number): EntryReads | undefined {
  try {
    const { body, document } = fieldsOf(JSON.parse(line.toString("utf8", at)));
    return isTexts(body) && isTexts(document) ? { body, document } : undefined;
  } catch {
    return undefined;
  }
}

function lineOf(entry: StoreEntry): string | Uint8Array {
  const { whole, reads, ...known } = entry;
  return lines.get(entry) ?? `${whole}\t${JSON.stringify(known)}\t${JSON.stringify(reads())}`;
}

function isEntry(value: unknown): boolean {
  const { page, world, body, fileReads, record, models, unused } = fieldsOf(value);
  const { files, ids, stylesheets, anchorsWanted, external, diagnostics } = fieldsOf(record);
  return (
    isText(page) &&
    isText(world) &&
    isText(ids) &&
    (body === undefined || isBody(body)) &&
    isTexts(fileReads) &&
    isTexts(stylesheets) &&
    Array.isArray(anchorsWanted) &&
    Array.isArray(external) &&
    Array.isArray(diagnostics) &&
    Array.isArray(models) &&
    Array.isArray(files) &&
    files.every(isFile) &&
    (unused === undefined || isSize(unused))
  );
}

const isText = (value: unknown): boolean => typeof value === "string";
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
const isSize = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
function isFile(value: unknown): boolean {
  const { path, sha256, bytes } = fieldsOf(value);
  return isText(path) && isText(sha256) && isSize(bytes);
}
function isBody(value: unknown): boolean {
  const { at, record } = fieldsOf(value);
  return isPlace(at) && (record === undefined || isPlace(record));
}
const isPlace = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length === 4 &&
  isText(value[0]) &&
  isSize(value[1]) &&
  isSize(value[2]) &&
  isText(value[3]);

const firstMs = 500;
const longestMs = 10_000;

/** Puts new pages into partial indexes while the run goes on: if it is killed, the next one makes only the rest. */
export function noteNewPages(indexes: StoreIndexes) {
  let waitMs = firstMs;
  let next = performance.now() + waitMs;
  let pages: StoreEntry[] = [];
  return {
    add(page: StoreEntry): void {
      pages.push(page);
      const now = performance.now();
      if (now < next) return;
      indexes.writePartial(randomBytes(8).toString("hex"), pages);
      pages = [];
      waitMs = Math.min(longestMs, waitMs * 2);
      next = now + waitMs;
    },
  };
}
