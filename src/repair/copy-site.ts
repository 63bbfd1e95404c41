import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/** Never part of a site, and often large. */
const leftOut = new Set([".git", "node_modules"]);

/**
 * Copies the folder of a site. Symbolic links stay links: one within the site leads to the copy's file, any other to the
 * same target as before. In a process that may not make links, a link within the site becomes a copy of its target, and
 * any other is left out.
 *
 * @param root real path of the site
 */
export async function copySite(root: string, copy: string, signal?: AbortSignal): Promise<void> {
  const copyFolder = async (from: string, to: string): Promise<void> => {
    mkdirSync(to, { recursive: true });
    for (const { name } of readdirSync(from, { withFileTypes: true }))
      if (!leftOut.has(name)) await copyEntry(join(from, name), join(to, name));
    // Lets the signal abort.
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  };
  const copyEntry = async (from: string, to: string): Promise<void> => {
    const stats = lstatSync(from);
    if (stats.isFile()) copyFileSync(from, to, constants.COPYFILE_FICLONE);
    else if (stats.isSymbolicLink()) copyLink(from, to, root);
    else if (stats.isDirectory() && !existsSync(join(from, "_offprint"))) await copyFolder(from, to);
  };
  await copyFolder(root, copy);
}

function copyLink(from: string, to: string, root: string): void {
  try {
    const target = resolve(dirname(from), readlinkSync(from));
    const isInside = target === root || target.startsWith(root + sep);
    symlinkSync(isInside ? relative(dirname(from), target) || "." : target, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_ACCESS_DENIED") throw error;
    copyTarget(from, to, root);
  }
}

function copyTarget(from: string, to: string, root: string): void {
  try {
    const real = realpathSync(from);
    if (real.startsWith(root + sep) && lstatSync(real).isFile()) copyFileSync(real, to, constants.COPYFILE_FICLONE);
  } catch {
    // It leads nowhere, or out of what this process may read.
  }
}
