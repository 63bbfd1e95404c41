import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type PackPlace, readChecked, writeChecked } from "../lib/cache/index.js";
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

/** The indexes of a folder of stored pages. */
export function openStoreIndexes(folder: string) {
  const names = partialNames(folder);
  const newestFirst = [wholeName, ...names]
    .map((name) => ({ name, time: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.time - a.time);
  const entries = new Map<string, StoreEntry[]>();
  for (const { name } of newestFirst)
    for (const entry of readEntries(folder, name)) {
      const known = entries.get(entry.page);
      if (known) known.push(entry);
      else entries.set(entry.page, [entry]);
    }
  return {
    /** Those of each page, newest first. */
    entries: entries as ReadonlyMap<string, readonly StoreEntry[]>,
    /** Replaces the indexes that were read. */
    replace(kept: readonly StoreEntry[]): void {
      if (!write(folder, wholeName, kept)) return;
      for (const name of names) rmSync(join(folder, name), { force: true });
    },
    /** @param name of lower-case letters, digits and hyphens. */
    writePartial(name: string, kept: readonly StoreEntry[]): boolean {
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

function readEntries(folder: string, name: string): StoreEntry[] {
  const text = readChecked(join(folder, name))?.toString("utf8");
  return text ? text.split("\n").map((line) => JSON.parse(line) as StoreEntry) : [];
}

const write = (folder: string, name: string, entries: readonly StoreEntry[]): boolean =>
  writeChecked(join(folder, name), Buffer.from(entries.map((entry) => JSON.stringify(entry)).join("\n")));
