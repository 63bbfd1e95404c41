import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { waitForFiles } from "../../lib/wait-for-files.js";

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
  const firstMade = makeFolders(parent);
  const path = mkdtempSync(join(parent, `${prefixOf(target)}${process.pid}-`));
  return {
    path,
    async remove() {
      // A tree of thousands of files: `rm` of promises takes five times as much processor time.
      waitForFiles(() => rmSync(path, { recursive: true, force: true }));
      if (firstMade !== undefined) removeEmpty(parent, firstMade);
    },
  };
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
  const firstMade = parent === path ? undefined : makeFolders(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return firstMade ?? path;
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
