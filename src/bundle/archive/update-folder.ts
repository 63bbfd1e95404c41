import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../../lib/attempt.js";
import { manifestName } from "./manifest.js";

/** Another run has replaced the output in the meantime, so this run must start again. */
export class OutputReplacedError extends Error {
  override readonly name = "OutputReplacedError";
}

/** Each new file takes about 20 µs, during which the target is missing. */
const maxNewFiles = 1000;

/** Identifies a bundle by the inode, time and size of its manifest, which every run writes anew; empty without one. */
export function markOf(bundle: string): string {
  const stats = fs.lstatSync(join(bundle, manifestName), { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : "";
}

interface Update {
  readonly target: string;
  /** `markOf` the target when `unchanged` was determined. */
  readonly mark: string;
  /** Contains only the new files. */
  readonly folder: string;
  /** Paths of the target's files to keep, unless `folder` has a file with the same path. All other files are removed. */
  readonly unchanged: ReadonlySet<string>;
  /** Absolute path of the run's work folder, on the target's file system. */
  readonly work: string;
}

/**
 * Updates a folder in place. The cost depends on the number of changed files, not on the size of the folder. The folder
 * is missing from its path meanwhile, for about 20 ms at most. Returns false, and changes nothing, if there are too many
 * new files or if the target lacks a file of `unchanged`.
 *
 * Fails: throws and restores the folder. After a crash, `undoUpdate` restores it.
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
  const newPaths = filesIn(folder).files;
  if (newPaths.length > maxNewFiles || newPaths.length > unchanged.size) return false;
  const present = filesIn(target);
  const outdated = new Set(present.files);
  for (const path of unchanged) if (!outdated.delete(path)) return false;
  const files = newPaths.filter((path) => !unchanged.has(path) && !outdated.has(path));
  for (const path of newPaths) if (unchanged.has(path)) outdated.add(path);
  const neededFolders = foldersOf([...unchanged, ...newPaths]);
  const newFolders = neededFolders.difference(new Set(present.folders));
  const folders = [...newFolders].sort((a, b) => b.length - a.length);
  const empty = present.folders.filter((path) => !neededFolders.has(path));
  const { previous, removed, list } = placesIn(work);
  fs.mkdirSync(removed);
  fs.writeFileSync(list, JSON.stringify({ files, folders } satisfies Added));
  fs.renameSync(target, previous);
  try {
    if (markOf(previous) !== mark) throw new Error("The target was replaced.");
    for (const path of outdated) move(previous, removed, path);
    for (const path of empty) fs.rmdirSync(join(previous, path));
    for (const path of newPaths) move(folder, previous, path);
    fs.renameSync(previous, target);
  } catch (error) {
    undoUpdate(work);
    if (!fs.existsSync(target)) fs.renameSync(previous, target);
    throw error;
  }
  return true;
}

/** Restores the folder that `updateFolder` moved into `work`. Safe to repeat after a crash. */
export function undoUpdate(work: string): void {
  const { previous, removed, list } = placesIn(work);
  if (!fs.existsSync(list)) return;
  const { files, folders } = JSON.parse(fs.readFileSync(list, "utf8")) as Added;
  // Some may not have been added yet, or may already be removed.
  for (const path of files) attempt(() => fs.unlinkSync(join(previous, path)));
  for (const path of folders) attempt(() => fs.rmdirSync(join(previous, path)));
  for (const path of filesIn(removed).files) move(removed, previous, path);
}

/** Paths that only the new bundle has. A folder follows its content. */
interface Added {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

const placesIn = (work: string) => ({
  previous: join(work, "previous"),
  /** The files taken out of `previous`. */
  removed: join(work, "old"),
  /** Lists what is added to `previous`. */
  list: join(work, "added"),
});

/** All folders above the files with these paths. */
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
    fs.renameSync(join(from, path), target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    fs.mkdirSync(dirname(target), { recursive: true });
    fs.renameSync(join(from, path), target);
  }
}

/** Everything but a folder counts as a file. A folder follows its content. */
function filesIn(folder: string) {
  const files: string[] = [];
  const folders: string[] = [];
  const add = (prefix: string): void => {
    for (const entry of fs.readdirSync(join(folder, prefix), { withFileTypes: true })) {
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
