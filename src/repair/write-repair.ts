import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { systemErrorCode } from "../lib/system-error.js";
import type { ChangedFile, WrittenRepair } from "./repair-types.js";

/**
 * Writes the changed files into the folder. Each is written next to its place first and then renamed, so it is never half
 * written, and nothing is renamed before all are written. A file that is no longer as it was read is left alone, as is one
 * that a symbolic link puts outside of the folder.
 *
 * @throws {Error} of the file system, such as a full disk; files renamed before stay.
 */
export function writeRepair(folder: string, changedFiles: readonly ChangedFile[]): WrittenRepair {
  const root = realpathSync(folder);
  const skipped: { path: string; why: string }[] = [];
  const ready: { file: ChangedFile; target: string; temporary: string }[] = [];
  const isRefused = (file: ChangedFile, target: string): boolean => {
    const why = refusalOf(file, target, root);
    if (why !== undefined) skipped.push({ path: file.path, why });
    return why !== undefined;
  };
  try {
    for (const file of changedFiles) {
      const target = join(root, file.path);
      if (isRefused(file, target)) continue;
      const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
      const mode = file.before ? lstatSync(target).mode : 0o644;
      if (file.after) writeFileSync(temporary, file.after, { flag: "wx", mode, flush: true });
      ready.push({ file, target, temporary });
    }
    const written = ready.filter(({ file, target, temporary }) => {
      if (isRefused(file, target)) return false;
      if (file.after) renameSync(temporary, target);
      else rmSync(target);
      return true;
    });
    return { written: written.map(({ file }) => file.path), skipped };
  } finally {
    for (const { temporary } of ready) rmSync(temporary, { force: true });
  }
}

function refusalOf({ path, before }: ChangedFile, target: string, root: string): string | undefined {
  try {
    const folder = realpathSync(dirname(target));
    if (path.split("/").includes("..") || (folder !== root && !folder.startsWith(root + sep)))
      return "It is not inside the site's folder.";
    if (!before) return existsSync(target) ? "A file with this name now exists." : undefined;
    if (!lstatSync(target).isFile()) return "It is not a regular file.";
    accessSync(target, constants.W_OK);
    return readFileSync(target).equals(before) ? undefined : "The file has changed since it was read.";
  } catch (error) {
    return `It cannot be written (${systemErrorCode(error) ?? String(error)}).`;
  }
}
