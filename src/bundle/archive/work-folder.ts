import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A folder for what is to become `target`; gone when the run ends. */
export interface WorkFolder {
  /** Absolute. */
  readonly path: string;
  /** Removes it, and the folders that were made to hold it where nothing else has come into them. */
  remove(): Promise<void>;
}

/**
 * Makes a work folder in `parent`, which is made too. Its name begins with a dot, names `target` and this process, and is
 * not that of any other run.
 *
 * @throws {Error} of the file system, naming the path.
 */
export function openWorkFolder(parent: string, target: string): WorkFolder {
  const firstMade = makeFolders(parent);
  const path = mkdtempSync(join(parent, `${prefixOf(target)}${process.pid}-`));
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true });
      if (firstMade !== undefined) removeEmpty(parent, firstMade);
    },
  };
}

/**
 * Makes a folder and those around it, and gives the first that was missing. Unlike `mkdir` with `recursive`, it ends where
 * the system denies that a folder could ever be there (`/proc/x/y`).
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
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return firstMade ?? path;
}

/** Work folders in `parent` whose run was killed before it could remove them. */
export function findLeftovers(parent: string, target: string): string[] {
  const prefix = prefixOf(target);
  let names: string[];
  try {
    names = readdirSync(parent);
  } catch {
    return []; // what cannot be listed cannot be written either, which is said when that is tried
  }
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ path: join(parent, name), pid: Number.parseInt(name.slice(prefix.length), 10) }))
    .filter(({ path, pid }) => !isAtWork(path, pid))
    .map(({ path }) => path);
}

export function removeLeftovers(parent: string, target: string): void {
  for (const path of findLeftovers(parent, target)) rmSync(path, { recursive: true, force: true });
}

/** `.out.offprint-`; a long name is cut, since the whole must not be longer than file systems allow. */
function prefixOf(target: string): string {
  const name = basename(target);
  const short = Buffer.byteLength(name) <= 200 ? name : createHash("sha256").update(name).digest("hex").slice(0, 16);
  return `.${short}.offprint-`;
}

function isAtWork(path: string, pid: number): boolean {
  // In containers a new process often has the number of the one before it.
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
    // It is not empty: it holds what was asked for.
  }
}
