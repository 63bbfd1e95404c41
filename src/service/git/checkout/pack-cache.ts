import { createHash, randomBytes } from "node:crypto";
import { copyFile, link, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { markUsed, pruneUnused } from "../../../lib/cache/index.js";

const entryName = (name: string): string => createHash("sha256").update(name).digest("hex").slice(0, 32);

/** The name under which a repository is cached: its address and the subfolder. */
export const packName = (href: string, subfolder: string | undefined): string => `${href} ${subfolder ?? ""}`;

/** Name of the folder with the packs of a repository. */
export const packEntryName = (url: string, subfolder: string | undefined): string =>
  entryName(packName(URL.parse(url)?.href ?? url, subfolder));

export type PackCache = ReturnType<typeof openPackCache>;

/** Each fetch adds a pack. With more packs than this, a full fetch is cheaper. */
const maxPacks = 16;

/**
 * Caches fetched packs of repositories. Processes may share the cache, and it may be deleted at any time; entries that
 * are unused for 30 days are pruned.
 *
 * @param folder of all repositories.
 * @param name identifies what is fetched: the address and the subfolder.
 */
export function openPackCache(folder: string, name: string) {
  const entry = join(folder, entryName(name));
  const packsOf = (gitFolder: string): string => join(gitFolder, "objects", "pack");

  return {
    /** Copies the cached packs into a new repository and returns their commit; undefined if there are none. */
    async restore(gitFolder: string): Promise<string | undefined> {
      try {
        const revision = await readFile(join(entry, "revision"), "utf8");
        const names = await readdir(join(entry, "packs"));
        if (names.filter((name) => name.endsWith(".pack")).length > maxPacks) return undefined;
        await mkdir(packsOf(gitFolder), { recursive: true });
        for (const name of names) await share(join(entry, "packs", name), join(packsOf(gitFolder), name));
        await copyIfThere(join(entry, "shallow"), join(gitFolder, "shallow"));
        markUsed(entry);
        return revision;
      } catch {
        // There is no entry, or another process is replacing it.
        return undefined;
      }
    },

    /** Replaces the cached packs with those of `gitFolder` at `revision`. */
    async save(gitFolder: string, revision: string): Promise<void> {
      const draft = `${entry}.${randomBytes(6).toString("hex")}`;
      try {
        await mkdir(join(draft, "packs"), { recursive: true });
        for (const name of await readdir(packsOf(gitFolder)))
          if (name.startsWith("pack-")) await share(join(packsOf(gitFolder), name), join(draft, "packs", name));
        await copyIfThere(join(gitFolder, "shallow"), join(draft, "shallow"));
        await writeFile(join(draft, "revision"), revision);
        // A process that reads between these calls finds nothing and fetches everything.
        await rm(entry, { recursive: true, force: true });
        await rename(draft, entry);
        await pruneUnused(folder, [/^[0-9a-f]{32}(?:\.[0-9a-f]{12})?$/]);
      } catch {
        await rm(draft, { recursive: true, force: true });
      }
    },
  };
}

/** Packs never change, so they are linked; on another disk they are copied. */
async function share(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}

/** `shallow` lists the commits without their parents. It is missing if there are none. */
async function copyIfThere(from: string, to: string): Promise<void> {
  await copyFile(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}
