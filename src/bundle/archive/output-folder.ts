import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { manifestName } from "./manifest.js";
import { markOf, undoUpdate, updateFolder } from "./update-folder.js";
import { findLeftovers, openWorkFolder, removeLeftovers, type WorkFolder } from "./work-folder.js";

/**
 * Prepares to replace an output folder, which need not exist. First restores or removes what killed runs left behind.
 *
 * @throws {OutputNotOursError} if it is a file, or a folder with files but without our manifest.
 */
export function openOutput(output: string) {
  const target = resolveLinks(resolve(output));
  const parent = dirname(target);
  for (const leftover of findLeftovers(parent, target)) restoreFolder(leftover, target);
  removeLeftovers(parent, target);
  for (const leftover of findLeftovers(target, target)) restoreContent(join(leftover, "previous"), target);
  removeLeftovers(target, target);
  refuseForeign(target);
  const mark = markOf(target);
  const isMount = existsSync(target) && existsSync(parent) && statSync(target).dev !== statSync(parent).dev;
  let work: WorkFolder;
  try {
    work = openWorkFolder(isMount ? target : parent, target);
  } catch (error) {
    // Users often have write access to a web server's folder, but not to its parent.
    if (isMount || !existsSync(target) || !isRefusal(error)) throw error;
    work = openWorkFolder(target, target);
  }
  const isInside = dirname(work.path) === target;
  const previous = join(work.path, "previous");
  const replaceBy = (folder: string): void => {
    refuseForeign(target, basename(work.path));
    if (isInside) replaceContent(target, folder, previous, basename(work.path));
    else replaceFolder(target, folder, previous);
  };
  return {
    /** Absolute, with symbolic links resolved. */
    target,
    work,
    /** Replaces the target with a folder of the same file system. */
    replaceBy,
    /** Whether another run has replaced the target in the meantime. */
    isReplaced: () => markOf(target) !== mark,
    /** Calls `updateFolder`. Returns false if the target cannot be renamed. */
    updateBy: (folder: string, unchanged: ReadonlySet<string>): boolean =>
      !isInside && updateFolder({ target, mark, folder, unchanged, work: work.path }),
  };
}

function replaceFolder(target: string, folder: string, previous: string): void {
  const replaces = existsSync(target);
  if (replaces) renameSync(target, previous);
  try {
    renameSync(folder, target);
  } catch (error) {
    if (replaces) renameSync(previous, target);
    throw error;
  }
}

/**
 * Replaces the content of a folder that cannot be renamed. The manifest is removed first and added last, so a folder
 * without one shows that the replacement was interrupted.
 */
function replaceContent(target: string, folder: string, previous: string, workName: string): void {
  mkdirSync(previous);
  const oldNames = readdirSync(target).filter((name) => name !== workName);
  const newNames = readdirSync(folder);
  const movedOut: string[] = [];
  const movedIn: string[] = [];
  try {
    for (const name of manifestFirst(oldNames)) {
      renameSync(join(target, name), join(previous, name));
      movedOut.push(name);
    }
    for (const name of manifestFirst(newNames).reverse()) {
      renameSync(join(folder, name), join(target, name));
      movedIn.push(name);
    }
  } catch (error) {
    for (const name of movedIn) renameSync(join(target, name), join(folder, name));
    for (const name of movedOut.reverse()) renameSync(join(previous, name), join(target, name));
    throw error;
  }
}

const manifestFirst = (names: readonly string[]): string[] =>
  names.toSorted((a, b) => Number(b === manifestName) - Number(a === manifestName));

/** Restores the target of a run that was killed between the two renames of `replaceFolder` or `updateFolder`. */
function restoreFolder(work: string, target: string): void {
  const previous = join(work, "previous");
  if (!existsSync(previous) || existsSync(target)) return;
  undoUpdate(work);
  renameSync(previous, target);
}

/** Restores the target of a run that was killed during `replaceContent`. */
function restoreContent(previous: string, target: string): void {
  if (!existsSync(previous) || existsSync(join(target, manifestName))) return;
  for (const name of manifestFirst(readdirSync(previous)).reverse()) {
    rmSync(join(target, name), { recursive: true, force: true });
    renameSync(join(previous, name), join(target, name));
  }
}

/** @param ours an entry of this run. @throws {OutputNotOursError} if the target holds more than a bundle. */
function refuseForeign(target: string, ours?: string): void {
  let names: string[];
  try {
    names = readdirSync(target).filter((name) => name !== ours);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    if (code !== "ENOTDIR") throw error;
    throw new OutputNotOursError(
      existsSync(target)
        ? `The output "${target}" is a file, not a folder. Name a folder.`
        : `The output "${target}" is inside a file. Name another folder.`,
    );
  }
  if (names.length > 0 && !names.includes(manifestName))
    throw new OutputNotOursError(
      `The output folder "${target}" contains files that do not come from an export (it has no ${manifestName}), so it is not replaced. Name an empty or new folder, or delete this one.`,
    );
}

/** Resolves the symbolic links in the part of the path that exists. */
export function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(resolveLinks(parent), basename(path));
  }
}

const isRefusal = (error: unknown): boolean =>
  ["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "");

/** The output or archive exists but does not come from an export, so it is not replaced. */
export class OutputNotOursError extends Error {
  override readonly name = "OutputNotOursError";
}
