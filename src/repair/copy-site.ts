import { constants, existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from "node:fs";
import { cp } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

/** Never part of a site, and often large. */
const leftOut = new Set([".git", "node_modules"]);

/**
 * Copies the folder of a site. Symbolic links stay links: one within the site leads to the copy's file, any other to the
 * same target as before.
 *
 * @param root real path of the site
 */
export async function copySite(root: string, copy: string, signal?: AbortSignal): Promise<void> {
  await cp(root, copy, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    filter(from, to) {
      signal?.throwIfAborted();
      if (from === root) return true;
      const stats = lstatSync(from);
      if (stats.isSymbolicLink()) copyLink(from, to, root);
      if (stats.isDirectory()) return !leftOut.has(basename(from)) && !existsSync(join(from, "_offprint"));
      return stats.isFile();
    },
  });
}

function copyLink(from: string, to: string, root: string): void {
  const target = resolve(dirname(from), readlinkSync(from));
  const isInside = target === root || target.startsWith(root + sep);
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(isInside ? relative(dirname(from), target) || "." : target, to);
}
