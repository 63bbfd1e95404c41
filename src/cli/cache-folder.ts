import { homedir } from "node:os";
import { join } from "node:path";
import type { Surroundings } from "./run.js";

/** Where this system keeps what programs can make again. */
export function cacheFolder({ env, platform }: Surroundings): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = env;
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, "offprint");
  if (platform === "win32" && LOCALAPPDATA) return join(LOCALAPPDATA, "offprint", "cache");
  if (platform === "darwin") return join(homedir(), "Library", "Caches", "offprint");
  return join(homedir(), ".cache", "offprint");
}
