import type { ChangedFile, WrittenRepair } from "./repair-types.js";

/**
 * Writes the changed files into the folder, each through a temporary file next to it. A file that is no longer as it was
 * read is left alone, as is one that a symbolic link puts outside of the folder.
 */
export function writeRepair(folder: string, changedFiles: readonly ChangedFile[]): WrittenRepair {
  throw new Error(`${changedFiles.length} files of ${folder} were not written: not built yet.`);
}
