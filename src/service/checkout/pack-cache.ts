import { createHash, randomBytes } from "node:crypto";
import { copyFile, link, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { markUsed, pruneUnused } from "../../lib/cache/index.js";

/**
 * What a repository sent before, so that it need not be sent again. May be lost, and be shared by many processes; that
 * of a repository nobody asks for goes after 30 days.
 */
export interface PackCache {
  /** Puts what is kept into a new repository, and gives the commit it belongs to; undefined if there is nothing. */
  lend(gitFolder: string): Promise<string | undefined>;
  /** Keeps what `gitFolder` holds of `revision` in place of what was kept. */
  keep(gitFolder: string, revision: string): Promise<void>;
}

/** Each fetch adds a pack with what is new in it: from so many on it is better to begin anew. */
const maxPacks = 16;

/**
 * @param folder for all repositories.
 * @param name whatever decides what the repository sends: its address, and the part that is wanted.
 */
export function openPackCache(folder: string, name: string): PackCache {
  const kept = join(folder, createHash("sha256").update(name).digest("hex").slice(0, 32));
  const packsOf = (gitFolder: string): string => join(gitFolder, "objects", "pack");

  return {
    async lend(gitFolder) {
      try {
        const revision = await readFile(join(kept, "revision"), "utf8");
        const names = await readdir(join(kept, "packs"));
        if (names.filter((each) => each.endsWith(".pack")).length > maxPacks) return undefined;
        await mkdir(packsOf(gitFolder), { recursive: true });
        for (const each of names) await share(join(kept, "packs", each), join(packsOf(gitFolder), each));
        await copyIfThere(join(kept, "shallow"), join(gitFolder, "shallow"));
        markUsed(kept);
        return revision;
      } catch {
        // Nothing is kept, or another process is putting it in place of the older.
        return undefined;
      }
    },

    async keep(gitFolder, revision) {
      const draft = `${kept}.${randomBytes(6).toString("hex")}`;
      try {
        await mkdir(join(draft, "packs"), { recursive: true });
        for (const each of await readdir(packsOf(gitFolder)))
          if (each.startsWith("pack-")) await share(join(packsOf(gitFolder), each), join(draft, "packs", each));
        await copyIfThere(join(gitFolder, "shallow"), join(draft, "shallow"));
        await writeFile(join(draft, "revision"), revision);
        // Whoever comes between the two finds nothing, and fetches the whole.
        await rm(kept, { recursive: true, force: true });
        await rename(draft, kept);
        await pruneUnused(folder, [/^[0-9a-f]{32}(?:\.[0-9a-f]{12})?$/]);
      } catch {
        await rm(draft, { recursive: true, force: true });
      }
    },
  };
}

/** Packs never change, so that one file serves both; on another disk it is copied. */
async function share(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}

/** It names the commits whose parents were not sent: none, if those that were have no parents. */
async function copyIfThere(from: string, to: string): Promise<void> {
  await copyFile(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}
