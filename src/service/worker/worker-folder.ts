import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

/** A folder that has not been refreshed for this long is abandoned. */
const abandonedMs = 10 * 60_000;

/** Creates the worker's folder for files of running jobs in `root`, which all workers of this machine share. */
export async function openWorkerFolder(root: string, workerId: string, now: () => number) {
  const path = join(root, workerId);
  await mkdir(path, { recursive: true });
  return {
    path,
    /** Marks the folder as used, and removes the folders of dead workers. */
    async refresh() {
      const seconds = now() / 1000;
      await utimes(path, seconds, seconds);
      for (const name of await readdir(root)) {
        const other = join(root, name);
        const changed = await stat(other).catch(() => undefined);
        if (changed !== undefined && now() - changed.mtimeMs > abandonedMs)
          await rm(other, { recursive: true, force: true });
      }
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
