import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

/** A folder that has not been refreshed for this long is abandoned, in milliseconds. */
const abandonedMs = 10 * 60_000;
/** For so long this process has seen no refresh either, so that a step of the clock abandons no folder. */
const watchedMs = 30_000;

/** Creates the worker's folder for files of running jobs in `root`, which all workers of this machine share. */
export async function openWorkerFolder(
  root: string,
  workerId: string,
  now: () => number,
  steadyNow = () => performance.now(),
) {
  const path = join(root, workerId);
  await mkdir(path, { recursive: true });
  let seen = new Map<string, { readonly mtimeMs: number; readonly since: number }>();
  return {
    path,
    /** Marks the folder as used, and removes the folders of dead workers. */
    async refresh() {
      const seconds = now() / 1000;
      await utimes(path, seconds, seconds);
      const before = seen;
      seen = new Map();
      for (const name of await readdir(root)) {
        const other = join(root, name);
        const mtimeMs = (await stat(other).catch(() => undefined))?.mtimeMs;
        if (mtimeMs === undefined || Math.abs(now() - mtimeMs) <= abandonedMs) continue;
        const last = before.get(name);
        const since = last?.mtimeMs === mtimeMs ? last.since : steadyNow();
        seen.set(name, { mtimeMs, since });
        if (steadyNow() - since >= watchedMs) await rm(other, { recursive: true, force: true });
      }
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
