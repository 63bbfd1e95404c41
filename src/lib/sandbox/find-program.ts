import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Absolute path of a program of the system. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env["PATH"]?.split(delimiter) ?? []), "/usr/sbin", "/sbin"];
  return folders
    .filter((folder) => folder.startsWith("/"))
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
