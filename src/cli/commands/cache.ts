import { cacheUse, clearCache } from "../../lib/cache/index.js";
import { command, type Input } from "../command.js";
import type { Environment } from "../environment.js";
import { formatTable } from "../print/terminal.js";
import { cacheFolder } from "../settings/cache.js";
import type texts from "./texts/cache.json";

export const commands = {
  "cache info": command(({ values }: Input<typeof texts, "cache info">) => values, printUse),
  "cache clear": command(() => ({}), clear),
};

async function printUse({ json }: { readonly json?: boolean }, environment: Environment): Promise<number> {
  const folder = cacheFolder(environment);
  const kinds = cacheUse(folder);
  const rows = kinds.map(({ kind, files, bytes }) => [kind, String(files), megabytes(bytes)]);
  environment.stdout.write(
    json ? `${JSON.stringify({ folder, kinds })}\n` : `${folder}\n${formatTable([["KIND", "FILES", "MB"], ...rows])}`,
  );
  return 0;
}

async function clear(_: object, environment: Environment): Promise<number> {
  const folder = cacheFolder(environment);
  const bytes = cacheUse(folder).reduce((sum, kind) => sum + kind.bytes, 0);
  clearCache(folder);
  environment.stdout.write(`Removed ${megabytes(bytes)} MB from ${folder}.\n`);
  return 0;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
