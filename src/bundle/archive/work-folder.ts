import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt } from "../../lib/attempt.js";
import { isOutOfFiles, waitForFilesAsync } from "../../lib/wait-for-files.js";

/** A temporary folder in which a run prepares `target`. */
export interface WorkFolder {
  /** Absolute. */
  readonly path: string;
  /** Removes the folder, and those of its parents that were created for it and are empty. */
  remove(): Promise<void>;
}

/**
 * Creates a work folder in `parent`, and `parent` if necessary. Its unique name starts with a dot and contains the name of
 * `target` and the id of this process.
 *
 * @throws {Error} of the file system, with the path.
 */
export function openWorkFolder(parent: string, target: string): WorkFolder {
  const firstCreated = makeFolders(parent);
  let path: string | undefined;
  let reserve: number | undefined;
  const removeParents = (): void => {
    if (firstCreated !== undefined) removeEmpty(parent, firstCreated);
  };
  try {
    path = fs.mkdtempSync(join(parent, `${prefixOf(target)}${process.pid}-`));
    // Keep a descriptor free: removing the folder needs one even if too many files are open.
    reserve = fs.openSync(join(path, "reserve"), "w");
  } catch (error) {
    if (path !== undefined) fs.rmdirSync(path);
    removeParents();
    throw error;
  }
  const folder = path;
  return {
    path: folder,
    async remove() {
      if (reserve !== undefined) fs.closeSync(reserve);
      reserve = undefined;
      await waitForFilesAsync(async () => removeTree(folder));
      removeParents();
    },
  };
}

function removeTree(path: string): void {
  try {
    // For thousands of files, the asynchronous `rm` takes five times as much processor time.
    fs.rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (!isOutOfFiles(error)) throw error;
    // `rmSync` keeps a descriptor open for each level of the tree; this loop needs one.
    for (const entry of fs.readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) removeTree(join(path, entry.name));
      else fs.unlinkSync(join(path, entry.name));
    fs.rmdirSync(path);
  }
}

/**
 * Creates a folder and its parents, and returns the outermost one that was missing. Unlike the recursive `mkdir`, it
 * terminates where the system allows no folders (`/proc/x/y`).
 *
 * @throws {Error} of the file system, with the path.
 */
export function makeFolders(path: string): string | undefined {
  if (fs.existsSync(path)) return undefined;
  const parent = dirname(path);
  const firstCreated = parent === path ? undefined : makeFolders(parent);
  try {
    fs.mkdirSync(path);
  } catch (error) {
    // Another process may have created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return firstCreated ?? path;
}

/** Finds the work folders that killed runs left in `parent`. */
export function findLeftovers(parent: string, target: string): string[] {
  const prefix = prefixOf(target);
  // A folder that cannot be read cannot be written either, which is reported later.
  return (attempt(() => fs.readdirSync(parent)) ?? [])
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ path: join(parent, name), pid: Number.parseInt(name.slice(prefix.length), 10) }))
    .filter(({ path, pid }) => !isInUse(path, pid))
    .map(({ path }) => path);
}

export function removeLeftovers(parent: string, target: string): void {
  for (const path of findLeftovers(parent, target)) fs.rmSync(path, { recursive: true, force: true });
}

/** `.out.offprint-`. A long name is replaced by its hash, since file systems limit the length. */
function prefixOf(target: string): string {
  const name = basename(target);
  const short = Buffer.byteLength(name) <= 200 ? name : createHash("sha256").update(name).digest("hex").slice(0, 16);
  return `.${short}.offprint-`;
}

function isInUse(path: string, pid: number): boolean {
  // In a container, a new process often gets the id of the previous one.
  if (pid === process.pid) {
    const stats = fs.statSync(path, { throwIfNoEntry: false });
    return stats === undefined || stats.mtimeMs >= Date.now() - process.uptime() * 1000;
  }
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function removeEmpty(folder: string, last: string): void {
  attempt(() => {
    // Fails at a folder that is not empty.
    for (let path = folder; path.length >= last.length; path = dirname(path)) fs.rmdirSync(path);
  });
}
