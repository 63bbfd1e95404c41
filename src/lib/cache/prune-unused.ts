import { statSync, utimesSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const dayMs = 24 * 60 * 60_000;
/** For how long caches keep what nothing uses: stored pages, on a disk or as objects, highlighted code, diagrams. */
export const maxUnusedMs = 30 * dayMs;
/** A file whose modification time is that of the last pruning. */
export const markName = ".looked-through";

/** Records in an entry's modification time that it is used; writes at most once a day. */
export function markUsed(entry: string): void {
  try {
    if (Date.now() - statSync(entry).mtimeMs > dayMs) utimesSync(entry, new Date(), new Date());
  } catch {
    // The folder is another user's, or the entry has just been removed.
  }
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

async function removeOld(folder: string, [own, ...below]: readonly RegExp[]): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!own!.test(name)) continue;
    const path = join(folder, name);
    if (below.length > 0) await removeOld(path, below);
    else if (Date.now() - (changedAt(path) ?? Date.now()) > maxUnusedMs)
      await rm(path, { recursive: true, force: true });
  }
}

/** Undefined if it is not there. */
const changedAt = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
