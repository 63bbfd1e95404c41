import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

/** The folder of one worker, in which it keeps what it is working on. */
export interface WorkerFolder {
  readonly path: string;
  /** Says that the worker lives, and removes what dead ones have left. */
  keep(): Promise<void>;
  remove(): Promise<void>;
}

/** A worker that has not said for so long that it lives has left its folder. */
const abandonedMs = 10 * 60_000;

/** Opens the worker's own folder in `root`, which all workers of this machine share. */
export async function openWorkerFolder(root: string, workerId: string, now: () => number): Promise<WorkerFolder> {
  const path = join(root, workerId);
  await mkdir(path, { recursive: true });
  return {
    path,
    async keep() {
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
