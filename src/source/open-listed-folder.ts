import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SiteFiles } from "../ports/site-files.js";

/**
 * The same site again, from the root and the paths that `openFolder` found: costs no look at the disk, so every worker
 * thread opens its own.
 */
export function openListedFolder(root: string, paths: readonly string[]): SiteFiles {
  const known = new Set(paths);
  const absolutePath = (sourcePath: string): string => {
    if (!known.has(sourcePath)) throw new RangeError(`${JSON.stringify(sourcePath)} is not a file of the site ${root}`);
    return join(root, sourcePath);
  };
  const readBytes = (sourcePath: string): Buffer => {
    const path = absolutePath(sourcePath);
    try {
      return readFileSync(path);
    } catch (error) {
      throw new Error(`cannot read ${sourcePath} of the site ${root}`, { cause: error });
    }
  };
  const sizeOf = (sourcePath: string): number => {
    const path = absolutePath(sourcePath);
    try {
      return statSync(path).size;
    } catch (error) {
      throw new Error(`cannot read ${sourcePath} of the site ${root}`, { cause: error });
    }
  };
  return {
    root,
    paths,
    has: (sourcePath) => known.has(sourcePath),
    sizeOf,
    absolutePath,
    readBytes,
    readText: (sourcePath) => {
      const text = readBytes(sourcePath).toString("utf8");
      return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    },
  };
}
