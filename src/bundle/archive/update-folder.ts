import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { manifestName } from "./manifest.js";

/** Another run has replaced the output since this one began, so this one must be restarted. */
export class OutputReplacedError extends Error {
  override readonly name = "OutputReplacedError";
}

/**
 * With more new files than this, the time in which the target is not there would be noticed: each takes some 20 µs. They
 * are as many as a new title changes that 500 pages show, with the files of the search.
 */
const maxNewFiles = 1000;

/** Another text for each bundle: every run writes a manifest of its own. */
export function markOf(bundle: string): string {
  const stats = lstatSync(join(bundle, manifestName), { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : "";
}

interface Update {
  readonly target: string;
  /** Of the target when `unchanged` was chosen; see `markOf`. */
  readonly mark: string;
  /** Has the new files, and nothing else. */
  readonly folder: string;
  /** Paths of files of the target that stay, unless `folder` has another one. All other files go. */
  readonly unchanged: ReadonlySet<string>;
  /** Absolute path of the work folder of the run, on the same file system. */
  readonly work: string;
}

/**
 * Replaces few files of a folder in a time that does not depend on the number of its files. Meanwhile, for at most some
 * 20 milliseconds, the folder is not at its path. False if the files are too many, or the target lacks a file of `unchanged`: nothing has changed.
 *
 * Fails: the folder is as it was. After a crash, `undoUpdate` repairs it.
 *
 * @throws {OutputReplacedError} if another run has replaced the target.
 */
export function updateFolder(update: Update): boolean {
  const { target, mark } = update;
  try {
    return tryUpdate(update);
  } catch (error) {
    if (markOf(target) === mark) throw error;
    throw new OutputReplacedError(`Another export has replaced "${target}" in the meantime.`);
  }
}

function tryUpdate({ target, mark, folder, unchanged, work }: Update): boolean {
  const coming = filesIn(folder).files;
  if (coming.length > maxNewFiles || coming.length > unchanged.size) return false;
  const there = filesIn(target);
  const going = new Set(there.files);
  for (const path of unchanged) if (!going.delete(path)) return false;
  const files = coming.filter((path) => !unchanged.has(path) && !going.has(path));
  for (const path of coming) if (unchanged.has(path)) going.add(path);
  const needed = foldersOf([...unchanged, ...coming]);
  const known = new Set(there.folders);
  const folders = [...needed].filter((path) => !known.has(path)).toSorted((a, b) => b.length - a.length);
  const empty = there.folders.filter((path) => !needed.has(path));
  const { previous, old, list } = placesIn(work);
  mkdirSync(old);
  writeFileSync(list, JSON.stringify({ files, folders } satisfies Added));
  renameSync(target, previous);
  try {
    if (markOf(previous) !== mark) throw new Error("It is another one.");
    for (const path of going) move(previous, old, path);
    for (const path of empty) rmdirSync(join(previous, path));
    for (const path of coming) move(folder, previous, path);
    renameSync(previous, target);
  } catch (error) {
    undoUpdate(work);
    if (!existsSync(target)) renameSync(previous, target);
    throw error;
  }
  return true;
}

/** Makes `previous` of a work folder what it was before `updateFolder` changed it. A crash on the way does no harm. */
export function undoUpdate(work: string): void {
  const { previous, old, list } = placesIn(work);
  if (!existsSync(list)) return;
  const { files, folders } = JSON.parse(readFileSync(list, "utf8")) as Added;
  for (const path of files) tryTo(unlinkSync, join(previous, path));
  for (const path of folders) tryTo(rmdirSync, join(previous, path));
  for (const path of filesIn(old).files) move(old, previous, path);
}

/** What the new bundle has and the old one had not. Folders come after what is in them. */
interface Added {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

function tryTo(remove: (path: string) => void, path: string): void {
  try {
    remove(path);
  } catch {
    // It has not come, or is what it was before again.
  }
}

const placesIn = (work: string) => ({
  previous: join(work, "previous"),
  /** The files that `previous` has no more. */
  old: join(work, "old"),
  /** What `previous` did not have. */
  list: join(work, "added"),
});

/** Of files with these paths, their parents included. */
function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return folders;
}

function move(from: string, to: string, path: string): void {
  const target = join(to, path);
  try {
    renameSync(join(from, path), target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    mkdirSync(dirname(target), { recursive: true });
    renameSync(join(from, path), target);
  }
}

/** Everything that is not a folder counts as a file. Folders come after what is in them. */
function filesIn(folder: string) {
  const files: string[] = [];
  const folders: string[] = [];
  const add = (prefix: string): void => {
    for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
      const path = `${prefix}${entry.name}`;
      if (!entry.isDirectory()) files.push(path);
      else {
        add(`${path}/`);
        folders.push(path);
      }
    }
  };
  add("");
  return { files, folders };
}
