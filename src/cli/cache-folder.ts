import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "./environment.js";

/** Where this system keeps the caches of programs. */
export function cacheFolder({ env, platform }: Environment): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = env;
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, "offprint");
  if (platform === "win32" && LOCALAPPDATA) return join(LOCALAPPDATA, "offprint", "cache");
  if (platform === "darwin") return join(homedir(), "Library", "Caches", "offprint");
  return join(homedir(), ".cache", "offprint");
}
