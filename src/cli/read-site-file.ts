import { readFileSync } from "node:fs";
import { join } from "node:path";

export type SiteReader = (sourcePath: string) => string | undefined;

/** Reads files of the site for code frames, each once. */
export function createReader(site: string): SiteReader {
  const texts = new Map<string, string | undefined>();
  return (sourcePath) => {
    if (!texts.has(sourcePath)) {
      try {
        texts.set(sourcePath, readFileSync(join(site, sourcePath), "utf8"));
      } catch {
        texts.set(sourcePath, undefined);
      }
    }
    return texts.get(sourcePath);
  };
}
