import { cacheUse, clearCache } from "../../lib/cache/index.js";
import type { Environment } from "../environment.js";
import { formatTable } from "../print/terminal.js";
import { cacheFolder } from "../settings/cache.js";
import type { CacheArguments } from "./cache-options.js";

/** `offprint cache info` and `clear`. */
export async function run(args: CacheArguments, environment: Environment): Promise<number> {
  const { stdout } = environment;
  const folder = cacheFolder(environment);
  const kinds = cacheUse(folder);
  if (args.action === "clear") {
    clearCache(folder);
    stdout.write(`Removed ${megabytes(kinds.reduce((sum, { bytes }) => sum + bytes, 0))} MB from ${folder}.\n`);
  } else if (args.json) stdout.write(`${JSON.stringify({ folder, kinds })}\n`);
  else {
    const rows = kinds.map(({ kind, files, bytes }) => [kind, String(files), megabytes(bytes)]);
    stdout.write(`${folder}\n${formatTable([["KIND", "FILES", "MB"], ...rows])}`);
  }
  return 0;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
