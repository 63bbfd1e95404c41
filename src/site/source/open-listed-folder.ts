import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { withLineFeeds } from "../../lib/diagnostic/index.js";
import { waitForFiles } from "../../lib/wait-for-files.js";
import type { SiteFiles } from "./site-files.js";

/**
 * The same site from the root and the paths that `openFolder` found. It does not read the disk, so every worker thread
 * opens its own.
 */
export function openListedFolder(root: string, paths: readonly string[]): SiteFiles {
  const known = new Set(paths);
  const absolutePath = (sourcePath: string): string => {
    if (!known.has(sourcePath)) throw new RangeError(`${JSON.stringify(sourcePath)} is not a file of the site ${root}`);
    return join(root, sourcePath);
  };
  const unreadable = (sourcePath: string, cause: unknown): Error => {
    const { code = "EIO" } = cause as NodeJS.ErrnoException;
    return Object.assign(new Error(`${code}: cannot read ${sourcePath} of the site ${root}`, { cause }), { code });
  };
  const readBytes = (sourcePath: string): Buffer => {
    const path = absolutePath(sourcePath);
    try {
      return waitForFiles(() => readFileSync(path));
    } catch (error) {
      throw unreadable(sourcePath, error);
    }
  };
  const sizeOf = (sourcePath: string): number => {
    const path = absolutePath(sourcePath);
    try {
      return statSync(path).size;
    } catch (error) {
      throw unreadable(sourcePath, error);
    }
  };
  /** Several stages read the same page, one after the other. */
  let last: { readonly sourcePath: string; readonly text: string } | undefined;
  return {
    root,
    paths,
    has: (sourcePath) => known.has(sourcePath),
    sizeOf,
    absolutePath,
    readBytes,
    readText: (sourcePath) => {
      if (last?.sourcePath === sourcePath) return last.text;
      const read = readBytes(sourcePath).toString("utf8");
      const text = withLineFeeds(read.charCodeAt(0) === 0xfeff ? read.slice(1) : read);
      last = { sourcePath, text };
      return text;
    },
  };
}
