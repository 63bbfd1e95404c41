import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { systemErrorCode } from "../lib/system-error.js";
import { UsageError } from "./usage-error.js";

/** Refuses a folder with files in it; hidden ones, such as `.git`, may be there. @throws {UsageError} */
export function requireEmpty(folder: string): void {
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch (error) {
    if (systemErrorCode(error) === "ENOTDIR") throw new UsageError(`${folder} is a file. Name a new or empty folder.`);
    if (systemErrorCode(error) !== "ENOENT") throw error;
  }
  if (names.length === 0) return;
  const shown = names.toSorted().slice(0, 3).join(", ");
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  throw new UsageError(
    `The folder ${relative(".", folder) || "."} is not empty (${shown}${more}), and nothing is overwritten. Name a new or empty folder: offprint init my-docs`,
  );
}

/** Writes files by path below the folder. @throws if one exists already. */
export function writeNew(folder: string, files: Iterable<readonly [path: string, data: string | Uint8Array]>): void {
  for (const [path, data] of files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, data, { flag: "wx" });
  }
}
