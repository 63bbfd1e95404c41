import { lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { checkSite } from "../export/index.js";
import type { Diagnostic, Edit } from "../lib/diagnostic/index.js";
import { copySite } from "./copy-site.js";
import type { ChangedFile, RepairOptions } from "./repair-types.js";
import { bytesOf, isWhole, type TextFile, textFile, withEdits } from "./text-file.js";

/** A copy of a site in which edits are tried. */
export interface Workspace {
  /** Reports the faults of the copy with these edits of the accepted texts. */
  check(edits: readonly Edit[]): Promise<readonly Diagnostic[]>;
  /** Keeps these edits: the offsets of later ones count in the new texts. */
  accept(edits: readonly Edit[]): void;
  /** Why a file cannot be edited, as a sentence. */
  refusal(edit: Edit): string | undefined;
  /** The file itself, where a symbolic link within the site leads to it. */
  ownPath(sourcePath: string): string | undefined;
  /** The accepted text of a file. */
  textOf(sourcePath: string): string;
  changedFiles(): ChangedFile[];
  close(): void;
}

/** @throws {Error} of the file system. */
export async function openWorkspace({
  folder,
  cacheFolder,
  signal,
  refusal: fileRefusal,
  check = checkSite,
}: RepairOptions): Promise<Workspace> {
  const source = realpathSync(folder);
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "offprint-fix-")));
  const root = join(scratch, "site");
  const cache = cacheFolder ?? join(scratch, "cache");
  const close = (): void => rmSync(scratch, { recursive: true, force: true });
  try {
    await copySite(source, root, signal);
  } catch (error) {
    close();
    throw error;
  }
  mkdirSync(cache, { recursive: true });
  const read = new Map<string, TextFile>();
  const accepted = new Map<string, TextFile>();
  const originals = new Map<string, Buffer>();
  /** What the copy has on disk, where that is not the accepted text. */
  const tried = new Set<string>();

  const fileAt = (path: string): TextFile => {
    const known = accepted.get(path) ?? read.get(path);
    if (known) return known;
    const bytes = readFileSync(join(root, path));
    originals.set(path, bytes);
    const file = textFile(bytes);
    read.set(path, file);
    return file;
  };
  const ownPath = (sourcePath: string): string | undefined => ownPathIn(root, sourcePath);
  const edited = (edits: readonly Edit[]): Map<string, TextFile> => {
    const byFile = Map.groupBy(edits, ({ sourcePath }) => ownPath(sourcePath)!);
    return new Map([...byFile].map(([path, own]) => [path, withEdits(fileAt(path), own)]));
  };
  return {
    async check(edits) {
      const texts = edited(edits);
      for (const path of [...tried].filter((path) => !texts.has(path))) {
        writeFileSync(join(root, path), bytesOf(fileAt(path)));
        tried.delete(path);
      }
      for (const [path, file] of texts) {
        writeFileSync(join(root, path), bytesOf(file));
        tried.add(path);
      }
      const { diagnostics } = await check({ source: root, cacheFolder: cache, signal });
      return diagnostics;
    },
    accept(edits) {
      for (const [path, file] of edited(edits)) {
        writeFileSync(join(root, path), bytesOf(file));
        accepted.set(path, file);
        tried.delete(path);
      }
    },
    refusal({ sourcePath, start, end }) {
      const path = ownPath(sourcePath);
      if (path === undefined) return `${sourcePath} is not a file of the site's own folder.`;
      if (ownPathIn(source, sourcePath) !== path) return `${sourcePath} is behind a symbolic link.`;
      const why = fileRefusal?.(path);
      if (why !== undefined) return `${sourcePath}: ${why}`;
      const file = fileAt(path);
      if (end > file.text.length) return `${sourcePath} is shorter than expected.`;
      return file.isLossy && !isWhole(file, { start, end }) ? `${sourcePath} is not UTF-8.` : undefined;
    },
    ownPath,
    textOf: (sourcePath) => fileAt(ownPath(sourcePath)!).text,
    changedFiles: () =>
      [...accepted]
        .map(([path, file]) => ({ path, before: originals.get(path), after: bytesOf(file) }))
        .filter(({ before, after }) => !before?.equals(after))
        .sort((a, b) => (a.path < b.path ? -1 : 1)),
    close,
  };
}

function ownPathIn(root: string, sourcePath: string): string | undefined {
  try {
    const real = realpathSync.native(join(root, sourcePath));
    return real.startsWith(root + sep) && lstatSync(real).isFile()
      ? relative(root, real).split(sep).join("/")
      : undefined;
  } catch {
    return undefined;
  }
}
