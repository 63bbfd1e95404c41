import { cp, lstat, mkdir, rename, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pruneUnused } from "../../lib/cache/index.js";

/** @param folder of all caches. */
export const siteFolderOf = (folder: string, projectId: string): string => join(folder, "sites", projectId);

/**
 * The cache of one site, apart from those of all others. Only one export has it at a time; one that runs meanwhile has an
 * empty cache, which is dropped. A cache may be lost at any time, so nothing here fails.
 *
 * @param folder of all caches.
 */
export function siteCache(folder: string, projectId: string) {
  const own = siteFolderOf(folder, projectId);
  const sites = dirname(own);
  return {
    /** Moves the cache to `target`, if there is one. */
    async lend(target: string): Promise<void> {
      await move(own, target).catch(() => {});
    },
    /** Moves the cache back. */
    async takeBack(from: string): Promise<void> {
      try {
        // The export could have put a link there.
        if (!(await lstat(from)).isDirectory()) return;
        await mkdir(sites, { recursive: true });
        await move(from, own);
        await utimes(own, new Date(), new Date());
        await pruneUnused(sites, [/^prj_/]);
      } catch {
        // Another export was faster.
      }
    },
  };
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    await cp(from, to, { recursive: true });
    await rm(from, { recursive: true, force: true });
  }
}
