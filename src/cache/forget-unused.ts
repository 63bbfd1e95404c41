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
 * @param depth of the entries below `folder`: 1 if they stand in it, 2 if in its folders.
 * @param isPart whether a name on the way to an entry, or its own, is one of the cache's.
 */
export async function forgetUnused(folder: string, depth: number, isPart: (name: string) => boolean): Promise<void> {
  try {
    const mark = join(folder, markName);
    const looked = await changedAt(mark);
    if (looked !== undefined && Date.now() - looked < dayMs) return;
    await writeFile(mark, "");
    if (looked !== undefined) await removeOld(folder, depth, isPart);
  } catch {
    // The next one that looks may have more success.
  }
}

async function removeOld(folder: string, depth: number, isPart: (name: string) => boolean): Promise<void> {
  for (const name of (await readdir(folder)).filter(isPart)) {
    const path = join(folder, name);
    if (depth > 1) await removeOld(path, depth - 1, isPart);
    else if (Date.now() - ((await changedAt(path)) ?? Date.now()) > keptMs)
      await rm(path, { recursive: true, force: true });
  }
}

const changedAt = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
