import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { markName } from "./prune-unused.js";

/** Folders of `openFolderCache`. */
const isShard = (name: string): boolean => /^[0-9a-f]{2}$/.test(name);
/** Folder of the page store. */
export const pagesName = "pages";

export interface CacheUse {
  /** `parts`: code, diagrams, live components and files of other hosts; `pages`: whole pages. */
  readonly kind: "parts" | "pages";
  readonly files: number;
  readonly bytes: number;
}

export function cacheUse(folder: string): CacheUse[] {
  const names = namesIn(folder);
  return [
    { kind: "parts", ...useOf(names.filter(isShard).map((name) => join(folder, name))) },
    { kind: "pages", ...useOf(names.filter((name) => name === pagesName).map((name) => join(folder, name))) },
  ];
}

/** Removes what exports have kept. Other files of the folder stay. */
export function clearCache(folder: string): void {
  for (const name of namesIn(folder))
    if (isShard(name) || name === pagesName || name === markName)
      rmSync(join(folder, name), { recursive: true, force: true });
}

function useOf(folders: readonly string[]): Pick<CacheUse, "files" | "bytes"> {
  let files = 0;
  let bytes = 0;
  for (const folder of folders)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      files++;
      bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
    }
  return { files, bytes };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
