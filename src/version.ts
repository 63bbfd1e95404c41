import { readFileSync } from "node:fs";

let version: string | undefined;

/** Version of this engine as its package says: `0.1.0`. Part of every cache key and of the manifest. */
export function engineVersion(): string {
  version ??= (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string })
    .version;
  return version;
}
