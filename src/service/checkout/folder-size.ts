import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of all files in a folder that may change meanwhile. Stops counting above `limit`. */
export async function folderSize(folder: string, limit: number): Promise<number> {
  let bytes = 0;
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined && bytes <= limit; next = pending.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else bytes += (await lstat(path).catch(() => undefined))?.size ?? 0;
    }
  }
  return bytes;
}
