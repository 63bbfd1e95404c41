import { randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isPackName, readCheckedLines, writeCheckedLines } from "../lib/cache/index.js";
import { entryOfLine, lineOf, placesOf, type StoreEntry, wasRead } from "./store-entry.js";

/** Few new entries are added in an index of their own, up to this number of them. */
const mostAdded = 8;
/** What part of all entries is few. */
const fewOf = 16;

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
      const fresh = kept.filter((entry) => !wasRead(entry));
      const areFew = fresh.length * fewOf <= wholeCount && names.length < mostAdded;
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
