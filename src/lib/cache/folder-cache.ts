import { readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attempt } from "../attempt.js";
import { readChecked, writeChecked } from "./checked-file.js";

/** A content-addressed store. Its keys hash all that a value depends on. Any entry may disappear at any time. */
export interface Cache {
  /** The value of `key`, or undefined. A damaged or unreadable entry counts as missing. */
  get(key: string): Uint8Array | undefined;
  /** Stores `value`. A failure is ignored, since no run depends on the cache. */
  put(key: string, value: Uint8Array): void;
}

/** A cache in a folder, which processes may share. Writes are atomic. Keys are hex of at least 8 characters. */
export function openFolderCache(folder: string): Cache {
  const fileOf = (key: string): string => {
    if (!/^[0-9a-f]{8,}$/.test(key)) throw new RangeError(`A cache key must be lower-case hex; "${key}" is not.`);
    return join(folder, key.slice(0, 2), key.slice(2));
  };
  return {
    get(key) {
      const file = fileOf(key);
      const value = readChecked(file);
      if (value) markUsed(file);
      return value;
    },
    put: (key, value) => void writeChecked(fileOf(key), value),
  };
}

/** Removes entries that have not been read or written for 30 days, at most once a day. Never fails. */
export const pruneCache = (folder: string): Promise<void> =>
  pruneUnused(folder, [/^[0-9a-f]{2}$/, /^[0-9a-f]{6,}(?:\.[0-9a-f]{12})?$/]);

/** Folders of `openFolderCache`. */
const isShard = (name: string): boolean => /^[0-9a-f]{2}$/.test(name);

export const pagesName = "pages";
/** Folder of compiled code of this program. */
export const compiledName = "compiled";

export interface CacheUse {
  /** `parts`: code, diagrams, live components, files of other hosts; `pages`: whole pages; `compiled`: code of this program. */
  readonly kind: "parts" | "pages" | "compiled";
  readonly files: number;
  readonly bytes: number;
}

export function cacheUse(folder: string): CacheUse[] {
  const names = namesIn(folder);
  return [
    { kind: "parts", ...useOf(names.filter(isShard).map((name) => join(folder, name))) },
    ...([pagesName, compiledName] as const).map((kind) => ({
      kind,
      ...useOf(names.filter((name) => name === kind).map((name) => join(folder, name))),
    })),
  ];
}

/** Deletes everything that exports have stored. Other files of the folder stay. */
export function clearCache(folder: string): void {
  for (const name of namesIn(folder))
    if (isShard(name) || [pagesName, compiledName, markName].includes(name))
      rmSync(join(folder, name), { recursive: true, force: true });
}

function useOf(folders: readonly string[]): Pick<CacheUse, "files" | "bytes"> {
  let files = 0;
  let bytes = 0;
  for (const folder of folders)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      files++;
      bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
    }
  return { files, bytes };
}

const namesIn = (folder: string): string[] => attempt(() => readdirSync(folder)) ?? [];

const dayMs = 24 * 60 * 60_000;
/** How long caches keep unused entries: stored pages, on a disk or as objects, highlighted code, diagrams. */
export const maxUnusedMs = 30 * dayMs;
/** A file whose modification time is that of the last pruning. */
export const markName = ".looked-through";

/** Records in an entry's modification time that it is used; writes at most once a day. */
export function markUsed(entry: string): void {
  // The folder may be another user's, or the entry has just been removed.
  attempt(() => {
    if (Date.now() - statSync(entry).mtimeMs > dayMs) utimesSync(entry, new Date(), new Date());
  });
}

/**
 * Removes the entries of a cache that have not been used for 30 days. Prunes at most once a day, and a new folder only
 * after its first day. Never fails: what cannot be removed stays.
 *
 * @param names patterns of the cache's own names, one per level below `folder`; the last is that of entries.
 */
export async function pruneUnused(folder: string, names: readonly RegExp[]): Promise<void> {
  try {
    const mark = join(folder, markName);
    const prunedAt = changedAt(mark);
    if (prunedAt !== undefined && Date.now() - prunedAt < dayMs) return;
    await writeFile(mark, "");
    if (prunedAt !== undefined) await removeOld(folder, names);
  } catch {
    // The next run tries again.
  }
}

async function removeOld(folder: string, [pattern, ...below]: readonly RegExp[]): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!pattern!.test(name)) continue;
    const path = join(folder, name);
    if (below.length > 0) await removeOld(path, below);
    else if (Date.now() - (changedAt(path) ?? Date.now()) > maxUnusedMs)
      await rm(path, { recursive: true, force: true });
  }
}

/** Undefined if the file does not exist. */
const changedAt = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
