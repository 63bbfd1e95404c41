import { statSync, utimesSync } from "node:fs";
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

const dayMs = 24 * 60 * 60_000;
const keptMs = 30 * dayMs;
/** Its time of change is when someone last looked for what is unused. */
const markName = ".looked-through";

/** Tells `forgetUnused` that an entry is of use. Its time of change says so, written once a day at most. */
export function markUsed(entry: string): void {
  try {
    if (Date.now() - statSync(entry).mtimeMs > dayMs) utimesSync(entry, new Date(), new Date());
  } catch {
    // Someone else's folder, or the entry has just gone: it is a cache.
  }
}

/**
 * Removes the entries of a cache that nobody has used for 30 days; looks once a day, and in a new folder not at once.
 * Never fails: what cannot be removed stays.
 *
 * @param names of the cache's own: those in `folder`, then those below them; the last are the entries'.
 */
export async function pruneUnused(folder: string, names: readonly RegExp[]): Promise<void> {
  try {
    const mark = join(folder, markName);
    const looked = await changedAt(mark);
    if (looked !== undefined && Date.now() - looked < dayMs) return;
    await writeFile(mark, "");
    if (looked !== undefined) await removeOld(folder, names);
  } catch {
    // The next one that looks may have more success.
  }
}

async function removeOld(folder: string, [own, ...below]: readonly RegExp[]): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!own!.test(name)) continue;
    const path = join(folder, name);
    if (below.length > 0) await removeOld(path, below);
    else if (Date.now() - ((await changedAt(path)) ?? Date.now()) > keptMs)
      await rm(path, { recursive: true, force: true });
  }
}

const changedAt = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
