import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Folders that hold no files of a site, but may hold very many. */
const isSkipped = (name: string): boolean =>
  name === "node_modules" || (name.startsWith(".") && name !== ".mintlify" && name !== ".well-known");

/**
 * The folders below `root`, itself included, and the files in them, as paths relative to it. What vanishes meanwhile is
 * left out. Links are not followed: what they lead to is in the site, too.
 */
export function listFolders(root: string, from = ""): { readonly folders: string[]; readonly files: string[] } {
  const folders = [from];
  const files: string[] = [];
  for (const folder of folders)
    try {
      for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if (!entry.isDirectory()) files.push(path);
        else if (!isSkipped(entry.name)) folders.push(path);
      }
    } catch (error) {
      if (folder === "" && from === "") throw error;
    }
  return { folders, files };
}

/** What `stat` says about every file, for a folder that cannot be watched. */
export function statesBelow(root: string): Map<string, string> {
  const states = new Map<string, string>();
  for (const path of listFolders(root).files) {
    const stats = statSync(join(root, path), { throwIfNoEntry: false });
    if (stats) states.set(path, `${stats.size} ${stats.ino} ${stats.mtimeMs}`);
  }
  return states;
}
