import { randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isPackName, type PackPlace, readCheckedLines, writeCheckedLines } from "../lib/cache/index.js";
import { type Fields, fieldsOf } from "../lib/json/index.js";
import type { KeptBody, PageRecord, PageResult } from "./page-result.js";

/** What the store knows of a page. */
export interface StoreEntry {
  /** Output path of the page. */
  readonly page: string;
  /** Everything that its document depends on, but files. */
  readonly world: string;
  readonly body?: KeptBody;
  /** Of the document. */
  readonly reads: readonly string[];
  readonly record: Omit<PageRecord, "inputs">;
  readonly models: readonly Omit<PageResult["models"][number], "like">[];
  /** Number of exports since the page was in one. */
  readonly unused?: number;
}

const wholeName = "index";
/** Other processes write these: each has some pages, until an export of the site puts them into `index`. */
const isPartialName = (name: string): boolean => /^index-[0-9a-z-]{1,64}$/.test(name);

export type StoreIndexes = ReturnType<typeof openStoreIndexes>;

/** The indexes of a folder of stored pages. */
export function openStoreIndexes(folder: string) {
  const names = partialNames(folder);
  const newestFirst = [wholeName, ...names]
    .map((name) => ({ name, time: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.time - a.time);
  const entries = new Map<string, StoreEntry[]>();
  const add = (name: string): void => {
    for (const entry of readEntries(folder, name)) entries.set(entry.page, [entry, ...(entries.get(entry.page) ?? [])]);
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
    /** Replaces the indexes that were read. */
    replace(kept: readonly StoreEntry[]): void {
      // The order in which pages end is by chance.
      const sorted = kept.toSorted((a, b) => (a.page < b.page ? -1 : 1));
      if (!write(folder, wholeName, sorted)) return;
      for (const name of names) rmSync(join(folder, name), { force: true });
    },
    /** @param name of lower-case letters, digits and hyphens. */
    writePartial(name: string, kept: readonly StoreEntry[]): boolean {
      names.push(`${wholeName}-${name}`);
      return write(folder, `${wholeName}-${name}`, kept);
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

export const placesOf = ({ body }: StoreEntry): PackPlace[] =>
  body ? [body.at, ...(body.record ? [body.record] : [])] : [];

function partialNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isPartialName).toSorted();
  } catch {
    return [];
  }
}

const readEntries = (folder: string, name: string): StoreEntry[] =>
  Array.from(readCheckedLines(join(folder, name)), entryOf).flat();

/** An index may come from another machine: what is not an entry counts as missing. */
function entryOf(line: string): StoreEntry[] {
  try {
    const entry = JSON.parse(line);
    return isEntry(fieldsOf(entry)) ? [entry] : [];
  } catch {
    return [];
  }
}

function isEntry({ page, world, body, reads, record, models, unused }: Fields): boolean {
  const { at, record: searchRecord = at, reads: bodyReads } = fieldsOf(body);
  const { files, ids, stylesheets, ...lists } = fieldsOf(record);
  return (
    [page, world, ids].every(isText) &&
    (body === undefined || ([at, searchRecord].every(isPlace) && isTexts(bodyReads))) &&
    [reads, stylesheets].every(isTexts) &&
    [files, models, lists["anchorsWanted"], lists["external"], lists["diagnostics"]].every(Array.isArray) &&
    (files as unknown[])
      .map(fieldsOf)
      .every(({ path, sha256, bytes }) => [path, sha256].every(isText) && isSize(bytes)) &&
    (unused === undefined || isSize(unused))
  );
}

const isText = (value: unknown): boolean => typeof value === "string";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isSize = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
function isPlace(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [pack, at, length, digest] = value;
  return [pack, digest].every(isText) && [at, length].every(isSize);
}

const write = (folder: string, name: string, entries: readonly StoreEntry[]): boolean =>
  writeCheckedLines(join(folder, name), linesOf(entries));

function* linesOf(entries: readonly StoreEntry[]): Generator<string> {
  for (const entry of entries) yield JSON.stringify(entry);
}

const sizeOf = (folder: string, name: string): number =>
  statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? -1;

/** A reader of the old file goes on with it. */
function copyFile(from: string, to: string, name: string): void {
  const draft = join(to, `${name}.${randomBytes(6).toString("hex")}`);
  copyFileSync(join(from, name), draft);
  renameSync(draft, join(to, name));
}
