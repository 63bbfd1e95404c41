import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isOutOfFiles, waitForFilesAsync } from "../../lib/wait-for-files.js";

/** A folder in which a run writes what will become `target`; removed when the run ends. */
export interface WorkFolder {
  /** Absolute. */
  readonly path: string;
  /** Removes it, and the parent folders that were made for it if they are empty. */
  remove(): Promise<void>;
}

/**
 * Makes a work folder in `parent`, which is made too. Its name begins with a dot, names `target` and this process, and is
 * unique.
 *
 * @throws {Error} of the file system, naming the path.
 */
export function openWorkFolder(parent: string, target: string): WorkFolder {
  const firstCreated = makeFolders(parent);
  let path: string | undefined;
  let reserve: number | undefined;
  const removeParents = (): void => {
    if (firstCreated !== undefined) removeEmpty(parent, firstCreated);
  };
  try {
    path = mkdtempSync(join(parent, `${prefixOf(target)}${process.pid}-`));
    // Removing the folder needs a descriptor, also when too many files are open.
    reserve = openSync(join(path, "reserve"), "w");
  } catch (error) {
    if (path !== undefined) rmdirSync(path);
    removeParents();
    throw error;
  }
  const folder = path;
  return {
    path: folder,
    async remove() {
      if (reserve !== undefined) closeSync(reserve);
      reserve = undefined;
      await waitForFilesAsync(async () => removeTree(folder));
      removeParents();
    },
  };
}

function removeTree(path: string): void {
  try {
    // A tree of thousands of files: `rm` of promises takes five times as much processor time.
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (!isOutOfFiles(error)) throw error;
    // `rmSync` has a file open for each level of the tree; this has one.
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) removeTree(join(path, entry.name));
      else unlinkSync(join(path, entry.name));
    rmdirSync(path);
  }
}

/**
 * Makes a folder and its parents, and gives the outermost one that was missing. Unlike `mkdir` with `recursive`, it
 * terminates where the system refuses to have the folder at all (`/proc/x/y`).
 *
 * @throws {Error} of the file system, naming the path.
 */
export function makeFolders(path: string): string | undefined {
  if (existsSync(path)) return undefined;
  const parent = dirname(path);
  const firstCreated = parent === path ? undefined : makeFolders(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return firstCreated ?? path;
}

/** Work folders in `parent` of runs that were killed before they could remove them. */
export function findLeftovers(parent: string, target: string): string[] {
  const prefix = prefixOf(target);
  let names: string[];
  try {
    names = readdirSync(parent);
  } catch {
    return []; // A folder that cannot be listed cannot be written either; writing reports it.
  }
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ path: join(parent, name), pid: Number.parseInt(name.slice(prefix.length), 10) }))
    .filter(({ path, pid }) => !isInUse(path, pid))
    .map(({ path }) => path);
}

export function removeLeftovers(parent: string, target: string): void {
  for (const path of findLeftovers(parent, target)) rmSync(path, { recursive: true, force: true });
}

/** `.out.offprint-`; for a long name its hash, since file systems limit the length of names. */
function prefixOf(target: string): string {
  const name = basename(target);
  const short = Buffer.byteLength(name) <= 200 ? name : createHash("sha256").update(name).digest("hex").slice(0, 16);
  return `.${short}.offprint-`;
}

function isInUse(path: string, pid: number): boolean {
  // In a container, a new process often has the pid of the one before it.
  if (pid === process.pid) {
    const stats = statSync(path, { throwIfNoEntry: false });
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
  try {
    for (let path = folder; path.length >= last.length; path = dirname(path)) rmdirSync(path);
  } catch {
    // It is not empty.
  }
}
