import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Environment } from "./environment.js";

/** What an address of an S3 bucket begins with. */
export const bucketScheme = "s3://";

/** Where exports keep their cache: `OFFPRINT_CACHE` if it is a folder, or where this system keeps the caches of programs. */
export function cacheFolder({ env, platform }: Environment): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA, OFFPRINT_CACHE = "" } = env;
  const chosen = OFFPRINT_CACHE.trim();
  if (chosen !== "" && !chosen.startsWith(bucketScheme)) return resolve(chosen);
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, "offprint");
  if (platform === "win32" && LOCALAPPDATA) return join(LOCALAPPDATA, "offprint", "cache");
  if (platform === "darwin") return join(homedir(), "Library", "Caches", "offprint");
  return join(homedir(), ".cache", "offprint");
}
