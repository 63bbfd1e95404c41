import { isUtf8 } from "node:buffer";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { checkSite } from "../export/index.js";
import type { Diagnostic, Edit } from "../lib/diagnostic/index.js";
import type { ChangedFile, RepairOptions } from "./repair-types.js";

export type Workspace = Awaited<ReturnType<typeof openWorkspace>>;

/** Copies a site, to try edits in the copy. @throws {Error} of the file system */
export async function openWorkspace({ folder, cacheFolder, signal, refusal, check = checkSite }: RepairOptions) {
  const source = fs.realpathSync(folder);
  const scratch = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "offprint-fix-")));
  const root = join(scratch, "site");
  const cache = cacheFolder ?? join(scratch, "cache");
  const close = (): void => fs.rmSync(scratch, { recursive: true, force: true });
  try {
    await copySite(source, root, signal);
  } catch (error) {
    close();
    throw error;
  }
  fs.mkdirSync(cache, { recursive: true });
  const originals = new Map<string, Buffer>();
  /** The files that were read, with the accepted edits. */
  const files = new Map<string, TextFile>();
  const accepted = new Set<string>();
  /** Files of the copy with edits that are being tried. */
  const tried = new Set<string>();

  const fileAt = (path: string): TextFile => {
    const before = files.get(path);
    if (before) return before;
    const original = fs.readFileSync(join(root, path));
    const file = textFile(original);
    originals.set(path, original);
    files.set(path, file);
    return file;
  };
  const write = (path: string, file: TextFile): void => fs.writeFileSync(join(root, path), bytesOf(file));
  /** The path with symbolic links resolved; undefined if it is no file of the site. */
  const realPath = (sourcePath: string): string | undefined => realPathIn(root, sourcePath);
  const edited = (edits: readonly Edit[]): Map<string, TextFile> => {
    const byFile = Map.groupBy(edits, ({ sourcePath }) => realPath(sourcePath)!);
    return new Map([...byFile].map(([path, edits]) => [path, withEdits(fileAt(path), edits)]));
  };
  return {
    realPath,
    /** Reports the faults of the copy with these edits of the accepted texts. */
    async check(edits: readonly Edit[]): Promise<readonly Diagnostic[]> {
      const attempt = edited(edits);
      for (const path of [...tried].filter((path) => !attempt.has(path))) {
        write(path, fileAt(path));
        tried.delete(path);
      }
      for (const [path, file] of attempt) {
        write(path, file);
        tried.add(path);
      }
      const { diagnostics } = await check({ source: root, cacheFolder: cache, signal });
      return diagnostics;
    },
    /** Accepts these edits. The offsets of later edits refer to the new texts. */
    accept(edits: readonly Edit[]): void {
      for (const [path, file] of edited(edits)) {
        write(path, file);
        files.set(path, file);
        accepted.add(path);
        tried.delete(path);
      }
    },
    /** Why a file cannot be edited, as a sentence. */
    refusal({ sourcePath, start, end }: Edit): string | undefined {
      const path = realPath(sourcePath);
      if (path === undefined) return `${sourcePath} is not a file of the site's own folder.`;
      if (realPathIn(source, sourcePath) !== path) return `${sourcePath} is behind a symbolic link.`;
      const why = refusal?.(path);
      if (why !== undefined) return `${sourcePath}: ${why}`;
      const file = fileAt(path);
      if (end > file.text.length) return `${sourcePath} is shorter than expected.`;
      return file.isLossy && !isWhole(file, { start, end }) ? `${sourcePath} is not UTF-8.` : undefined;
    },
    changedFiles: (): ChangedFile[] =>
      [...accepted]
        .map((path) => ({ path, before: originals.get(path), after: bytesOf(files.get(path)!) }))
        .filter(({ before, after }) => !before?.equals(after))
        .sort((a, b) => (a.path < b.path ? -1 : 1)),
    close,
  };
}

function realPathIn(root: string, sourcePath: string): string | undefined {
  try {
    const real = fs.realpathSync.native(join(root, sourcePath));
    return real.startsWith(root + sep) && fs.lstatSync(real).isFile()
      ? relative(root, real).split(sep).join("/")
      : undefined;
  } catch {
    return undefined;
  }
}

const mark = "\ufeff";

/** A source file as text, and the facts to restore its bytes. */
export interface TextFile {
  /** Without the byte order mark. */
  readonly text: string;
  readonly hasMark: boolean;
  /** The text has U+FFFD in place of bytes that are not UTF-8. */
  readonly isLossy: boolean;
}

export function textFile(bytes: Buffer): TextFile {
  const text = bytes.toString("utf8");
  const hasMark = text.startsWith(mark);
  return { text: hasMark ? text.slice(1) : text, hasMark, isLossy: !isUtf8(bytes) };
}

export const bytesOf = ({ text, hasMark }: TextFile): Buffer => Buffer.from(hasMark ? mark + text : text);

/** Applies edits, which must not overlap. Inserted lines get the line ends of the file. */
function withEdits(file: TextFile, edits: readonly Edit[]): TextFile {
  const { text } = file;
  const [lineEnd = "\n"] = /\r\n|\r|\n/.exec(text) ?? [];
  let edited = "";
  let done = 0;
  for (const { start, end, replacement } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    edited += text.slice(done, start) + (isWhole(file, { start, end }) ? replacement : withEnds(replacement, lineEnd));
    done = end;
  }
  return { ...file, text: edited + text.slice(done), isLossy: false };
}

const withEnds = (text: string, lineEnd: string): string => text.replace(/\r\n|\r|\n/g, lineEnd);

/** Whether an edit replaces the whole text. Only such an edit can repair bytes that are not UTF-8. */
const isWhole = ({ text }: TextFile, { start, end }: Pick<Edit, "start" | "end">): boolean =>
  start === 0 && end === text.length;

/** Never part of a site, and often large. */
const leftOut = new Set([".git", "node_modules"]);

/**
 * Copies the folder of a site. Symbolic links stay links: a link within the site leads to the copied file, any other to its
 * old target. In a process that may not make links, a link within the site becomes a copy of its target, and any other is
 * left out.
 *
 * @param root real path of the site
 */
export async function copySite(root: string, copy: string, signal?: AbortSignal): Promise<void> {
  const copyFolder = async (from: string, to: string): Promise<void> => {
    fs.mkdirSync(to, { recursive: true });
    for (const { name } of fs.readdirSync(from, { withFileTypes: true }))
      if (!leftOut.has(name)) await copyEntry(join(from, name), join(to, name));
    // Lets the signal abort.
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  };
  const copyEntry = async (from: string, to: string): Promise<void> => {
    const stats = fs.lstatSync(from);
    if (stats.isFile()) fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE);
    else if (stats.isSymbolicLink()) copyLink(from, to, root);
    else if (stats.isDirectory() && !fs.existsSync(join(from, "_offprint"))) await copyFolder(from, to);
  };
  await copyFolder(root, copy);
}

function copyLink(from: string, to: string, root: string): void {
  try {
    const target = resolve(dirname(from), fs.readlinkSync(from));
    const isInside = target === root || target.startsWith(root + sep);
    fs.symlinkSync(isInside ? relative(dirname(from), target) || "." : target, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_ACCESS_DENIED") throw error;
    copyTarget(from, to, root);
  }
}

function copyTarget(from: string, to: string, root: string): void {
  try {
    const real = fs.realpathSync(from);
    if (real.startsWith(root + sep) && fs.lstatSync(real).isFile())
      fs.copyFileSync(real, to, fs.constants.COPYFILE_FICLONE);
  } catch {
    // The link is broken, or its target is unreadable.
  }
}
