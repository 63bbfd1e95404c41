import { hash } from "node:crypto";
import { linkSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BundleFile, Staging } from "../bundle/archive/index.js";
import { readChecked, writeChecked } from "../lib/cache/index.js";
import { stateOf } from "./file-state.js";

/** A path of the cache is checked as any other. It is cheaper than `bundlePath`, and thousands of files are asked for. */
const isInside = (path: string): boolean => !/(?:^|\/)\.{0,2}(?:\/|$)|[\\\0]/.test(path);

export const isOutputRecord = (name: string): boolean => /^output-[0-9a-f]{16}$/.test(name);

type KnownFile = readonly [sha256: string, state: string];

/**
 * The files of the bundle that an earlier run has put in place. Their state then is known, so a file that somebody has
 * changed since is recognized.
 *
 * @param folder where the states are kept.
 */
export function openPreviousOutput(folder: string, { folder: staging, target }: Staging) {
  if (target === undefined) return { take: () => false, keep() {} };
  const record = join(folder, `output-${hash("sha256", target, "hex").slice(0, 16)}`);
  const content = readChecked(record);
  const known = new Map<string, KnownFile>(content && Object.entries(JSON.parse(content.toString("utf8"))));
  const made = new Set<string>();
  const taken = new Set<string>();
  const isSame = ({ path, sha256 }: BundleFile): boolean => {
    const file = known.get(path);
    return (
      file !== undefined && file[0] === sha256 && isInside(path) && stateOf(`${target}/${path}`, false).text === file[1]
    );
  };
  const link = (path: string): void => {
    const parent = path.slice(0, path.lastIndexOf("/") + 1);
    if (!made.has(parent)) mkdirSync(`${staging}/${parent}`, { recursive: true });
    made.add(parent);
    linkSync(`${target}/${path}`, `${staging}/${path}`);
    taken.add(path);
  };
  return {
    /**
     * Puts these files into the new bundle, as a second name of the same bytes, if all of them are there unchanged. The
     * old name goes when the new bundle replaces the old one. Some may be there even if the answer is no.
     */
    take(files: readonly BundleFile[]): boolean {
      if (!files.every(isSame)) return false;
      try {
        for (const { path } of files) if (!taken.has(path)) link(path);
        return true;
      } catch {
        // Another file system, or a limit of this one.
        return false;
      }
    },
    /** Call it once the bundle is in its place and the old one is gone. */
    keep(files: readonly BundleFile[]): void {
      const states = files.map(({ path, sha256 }): [string, KnownFile] => [
        path,
        [sha256, stateOf(`${target}/${path}`, false).text],
      ]);
      writeChecked(record, Buffer.from(JSON.stringify(Object.fromEntries(states))));
    },
  };
}
