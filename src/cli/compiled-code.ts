import { lstatSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { compiledName, maxUnusedMs } from "../lib/cache/index.js";
import { buildId } from "../lib/package-root.js";
import type { Environment } from "./environment.js";
import { cacheFolder } from "./settings/cache.js";

/**
 * Lets Node cache the compiled code of this build, which saves a tenth of the time of a small export. Anyone who can write
 * to the folder controls this program, so a folder that other users can write to is not used. Never fails.
 */
export function keepCompiledCode(environment: Environment): void {
  // File modes on Windows do not show who can write: there, only the folder in the user's profile is safe.
  if (environment.platform === "win32" && environment.env["OFFPRINT_CACHE"]) return;
  try {
    const cache = cacheFolder(environment);
    const builds = join(cache, compiledName);
    const folder = join(builds, buildId().slice(0, 16));
    mkdirSync(cache, { recursive: true });
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) removeOldBuilds(builds);
    if ([cache, builds, folder].every(isOwn)) enableCompileCache(folder);
  } catch {
    // The disk is full or read-only, or the folder belongs to another user.
  }
}

function isOwn(folder: string): boolean {
  const stats = lstatSync(folder);
  return (
    stats.isDirectory() &&
    (process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0))
  );
}

function removeOldBuilds(builds: string): void {
  for (const name of readdirSync(builds)) {
    const folder = join(builds, name);
    if (Date.now() - statSync(folder).mtimeMs > maxUnusedMs) rmSync(folder, { recursive: true, force: true });
  }
}
