import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Contents by path relative to the site; a value that is neither text nor bytes is written as JSON. */
export type SiteContents = Readonly<Record<string, unknown>>;

/** A new folder, which the caller removes with `rmSync`. */
export const newFolder = (name: string): string => mkdtempSync(join(tmpdir(), `offprint-${name}-`));

export function writeSite(folder: string, contents: SiteContents): string {
  for (const [path, content] of Object.entries(contents)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    const isWritable = typeof content === "string" || content instanceof Uint8Array;
    writeFileSync(join(folder, path), isWritable ? content : JSON.stringify(content));
  }
  return folder;
}

/** Every file below a folder, relative to it, with `/`, sorted. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}
