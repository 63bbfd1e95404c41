import { hash, randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../lib/attempt.js";
import {
  compactPacks,
  isDraft,
  isPackName,
  type PackPlace,
  pagesName,
  readCheckedLines,
  writeCheckedLines,
} from "../../lib/cache/index.js";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { fieldsOf, valueOfJson } from "../../lib/json/index.js";
import { buildId } from "../../lib/package-root.js";
import type { PageRecord, PageResult } from "../pages/thread-messages.js";

/** The stored pages of a site, for this version of the program. @param site `cacheName`, or its folder. */
export const storeFolderOf = (cacheFolder: string, site: string): string => {
  const key = JSON.stringify([buildId(), process.versions.node, site]);
  return join(cacheFolder, pagesName, hash("sha256", key, "hex").slice(0, 16));
};

/** A stored page turned out to be damaged after it was found: the run must begin again. */
export class OutdatedStoreError extends Error {}

/** Whether a result may be another one the next time: the machine was busy, or could not start a process. */
export const isOfMachine = ({ code }: Diagnostic): boolean =>
  /^(?:PAGE_FAILED|PAGE_TOO_\w+|ISLAND_LIMIT|DIAGRAMS_NOT_DRAWN)$/.test(code);

/** What the store has of a page. */
export interface PageEntry {
  /** Output path of the page. */
  readonly page: string;
  /** `SiteHashes.withoutTexts` of the last run in which all of the entry was valid. */
  readonly site: string;
  /** See `textsOfPage`. */
  readonly texts: readonly (string | null)[];
  /** Hash of everything that its document depends on but files; empty for a body without a document. */
  readonly frame: string;
  readonly body?: {
    readonly at: PackPlace;
    /** The page's search record; absent for a page that search excludes. */
    readonly record?: PackPlace | undefined;
  };
  /** What the body and the document have read that `isChangeable`: questions and answers in turn. */
  readonly changeable: readonly string[];
  readonly record: Omit<PageRecord, "inputs">;
  readonly models: readonly Omit<PageResult["models"][number], "sibling">[];
  /** How many exports have not had the page. */
  readonly unused?: number;
  /** Everything that was read, in the same form. Undefined for an entry that another version wrote. */
  readonly reads: () => EntryReads | undefined;
}
export interface EntryReads {
  readonly body: readonly string[];
  readonly document: readonly string[];
}

/** A run that adds few entries writes them to a new index file, until there are this many. */
const maxAdded = 8;
/** The share of all entries up to which an addition counts as few. */
const fewOf = 16;
/** How many output folders of a site have a stored record. A service exports into a new folder each time. */
const maxOutputs = 3;
/** A pack that no index names is kept this long: another process may still write it. */
const writingMs = 60 * 60_000;

const wholeName = "index";
/** Indexes that other processes write. Each holds some pages until an export of the site moves them into `index`. */
const isPartialName = (name: string): boolean => /^index-[0-9a-z-]{1,64}$/.test(name);
export const outputRecordName = (target: string): string => `output-${hash("sha256", target, "hex").slice(0, 16)}`;
const isOutputRecord = (name: string): boolean => /^output-[0-9a-f]{16}$/.test(name);

export type PageIndex = ReturnType<typeof openPageIndex>;

/** The entries of a folder of stored pages, which several processes may write. */
export function openPageIndex(folder: string) {
  const names = partialNames(folder);
  /** How many partial indexes earlier runs left behind. */
  const addedBefore = names.length;
  const entries = new Map<string, PageEntry[]>();
  const written = new WeakSet<PageEntry>();
  let wholeCount = 0;
  const read = (name: string): void => {
    const added = readEntries(folder, name);
    if (name === wholeName) wholeCount = added.length;
    for (const entry of added) entries.set(entry.page, [entry, ...(entries.get(entry.page) ?? [])]);
  };
  const ages = new Map([wholeName, ...names].map((name) => [name, modifiedMs(folder, name)]));
  for (const [name] of [...ages].toSorted((a, b) => a[1] - b[1])) read(name);

  /** Replaces the indexes that were read, or adds few new entries to them; returns whether they were added. */
  const replace = (all: readonly PageEntry[], mayAdd: boolean): boolean => {
    const fresh = all.filter((entry) => !stored.has(entry) && !written.has(entry));
    const areFew = fresh.length * fewOf <= wholeCount && addedBefore < maxAdded;
    if (mayAdd && wholeCount > 0 && areFew)
      if (fresh.length === 0 || writeEntries(folder, `${wholeName}-${randomBytes(8).toString("hex")}`, fresh))
        return true;
    // Pages end in any order.
    const sorted = all.toSorted((a, b) => (a.page < b.page ? -1 : 1));
    if (writeEntries(folder, wholeName, sorted)) for (const name of names) rmSync(join(folder, name), { force: true });
    return false;
  };

  return {
    /** The entries of each page, newest first. */
    entries: entries as ReadonlyMap<string, readonly PageEntry[]>,
    /** Adds the packs and the partial indexes of another folder. */
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
          read(name);
        }
      } catch {
        // The pages are made here.
      }
    },
    /** @param name of lower-case letters, digits and hyphens */
    writePartial(name: string, added: readonly PageEntry[]): boolean {
      names.push(`${wholeName}-${name}`);
      if (!writeEntries(folder, `${wholeName}-${name}`, added)) return false;
      for (const entry of added) written.add(entry);
      return true;
    },
    /** Stores all entries, and removes what none needs. @param mayAdd whether the read indexes may get new ones. */
    save(all: readonly PageEntry[], mayAdd: boolean): void {
      const before = packsOf([...entries.values()].flat());
      const moved = movedEntries(folder, all);
      if (replace(moved, mayAdd)) return;
      const byOthers = partialNames(folder).flatMap((name) => readEntries(folder, name));
      removeUnused(folder, new Set([...packsOf(moved), ...packsOf(byOthers)]), before);
    },
  };
}

const partialNames = (folder: string): string[] =>
  attempt(() => readdirSync(folder).filter(isPartialName).toSorted()) ?? [];

const modifiedMs = (folder: string, name: string): number =>
  statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const sizeOf = (folder: string, name: string): number =>
  statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? -1;

/** A process that reads the old file can go on reading it. */
function copyFile(from: string, to: string, name: string): void {
  const draft = join(to, `${name}.${randomBytes(6).toString("hex")}`);
  copyFileSync(join(from, name), draft);
  renameSync(draft, join(to, name));
}

const placesOf = ({ body }: PageEntry): PackPlace[] => (body ? [body.at, ...(body.record ? [body.record] : [])] : []);
const packsOf = (entries: readonly PageEntry[]) => new Set(entries.flatMap(placesOf).map(([pack]) => pack));

/** The entries, with their offsets in the compacted packs. */
function movedEntries(folder: string, entries: readonly PageEntry[]): readonly PageEntry[] {
  const moved = compactPacks(folder, entries.flatMap(placesOf));
  if (moved.size === 0) return entries;
  const placeOf = (place: PackPlace): PackPlace => moved.get(place) ?? place;
  return entries.map((entry) => {
    const { body } = entry;
    return body
      ? { ...entry, body: { at: placeOf(body.at), ...(body.record && { record: placeOf(body.record) }) } }
      : entry;
  });
}

/** @param before packs that were complete when this run began */
function removeUnused(folder: string, used: ReadonlySet<string>, before: ReadonlySet<string>): void {
  try {
    const files = readdirSync(folder).map((name) => {
      const { mtimeMs } = statSync(join(folder, name));
      return { name, mtimeMs, isOld: Date.now() - mtimeMs > writingMs };
    });
    const outputs = files.filter(({ name }) => isOutputRecord(name)).toSorted((a, b) => b.mtimeMs - a.mtimeMs);
    const unused = [
      ...files.filter(({ name, isOld }) => isPackName(name) && !used.has(name) && (isOld || before.has(name))),
      ...files.filter(({ name, isOld }) => isDraft(name) && isOld),
      ...outputs.slice(maxOutputs),
    ];
    for (const { name } of unused) rmSync(join(folder, name), { force: true });
  } catch {
    // The next export tries again.
  }
}

const readEntries = (folder: string, name: string): PageEntry[] =>
  Array.from(readPairs(join(folder, name)), ([fields, reads]) => parseEntries(fields, reads)).flat();

const writeEntries = (folder: string, name: string, entries: readonly PageEntry[]): boolean =>
  writeCheckedLines(join(folder, name), printEntries(entries));

/** Entries are in blocks of two lines: fields, which every run parses, and reads, which few runs need. */
const blockEntries = 64;
/** What was read for entries of an index, as it has it: most of it is written again as it is. */
const storedReads = new WeakMap<PageEntry["reads"], Uint8Array>();
/** Entries that are in an index already, unchanged. */
const stored = new WeakSet<PageEntry>();

function* printEntries(entries: readonly PageEntry[]) {
  for (let at = 0; at < entries.length; at += blockEntries) {
    const block = entries.slice(at, at + blockEntries);
    const reads = block.map((entry) => storedReads.get(entry.reads) ?? Buffer.from(JSON.stringify(entry.reads())));
    // JSON leaves functions out.
    yield JSON.stringify(block.map((entry, i) => ({ ...entry, readBytes: reads[i]!.length })));
    yield Buffer.concat(reads);
  }
}

function* readPairs(path: string): Generator<readonly [Buffer, Buffer]> {
  let first: Buffer | undefined;
  for (const line of readCheckedLines(path))
    if (first === undefined) first = line;
    else {
      yield [first, line];
      first = undefined;
    }
}

/** An index may come from another machine, so a line that is not an entry counts as missing. */
function parseEntries(fields: Buffer, allReads: Buffer): PageEntry[] {
  const entries: PageEntry[] = [];
  let end = 0;
  try {
    for (const value of JSON.parse(fields.toString("utf8"))) {
      const { readBytes } = fieldsOf(value);
      if (!isSize(readBytes)) break;
      const bytes = allReads.subarray(end, end + readBytes);
      end += readBytes;
      if (!isEntry(value)) continue;
      const entry: PageEntry = { ...value, reads: () => parseReads(bytes) };
      storedReads.set(entry.reads, bytes);
      stored.add(entry);
      entries.push(entry);
    }
  } catch {
    // Another program has written it.
  }
  return entries;
}

function parseReads(bytes: Buffer): EntryReads | undefined {
  const { body, document } = fieldsOf(valueOfJson(bytes.toString("utf8")));
  return areStrings(body) && areStrings(document) ? { body, document } : undefined;
}

function isEntry(value: unknown): boolean {
  const { page, site, frame, body, texts, changeable, record, models, unused } = fieldsOf(value);
  const { files, ids, stylesheets, anchorsWanted, external, diagnostics } = fieldsOf(record);
  return (
    [page, site, frame, ids].every(isString) &&
    [changeable, stylesheets].every(areStrings) &&
    [texts, anchorsWanted, external, diagnostics, models].every(Array.isArray) &&
    Array.isArray(files) &&
    files.every(isFile) &&
    (body === undefined || isBody(body)) &&
    (unused === undefined || isSize(unused))
  );
}

const isString = (value: unknown): boolean => typeof value === "string";
const areStrings = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isString);
const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
function isFile(value: unknown): boolean {
  const { path, sha256, bytes } = fieldsOf(value);
  return isString(path) && isString(sha256) && isSize(bytes);
}
function isBody(value: unknown): boolean {
  const { at, record } = fieldsOf(value);
  return isPlace(at) && (record === undefined || isPlace(record));
}
function isPlace(value: unknown): boolean {
  const [pack, at, length, digest] = Array.isArray(value) && value.length === 4 ? value : [];
  return isString(pack) && isSize(at) && isSize(length) && isString(digest);
}
