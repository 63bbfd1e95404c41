import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type ArchiveResult, packArchive, requireArchiveName } from "./create-archive.js";
import { manifestName } from "./manifest.js";
import { findLeftovers, openWorkFolder, removeLeftovers, type WorkFolder } from "./work-folder.js";

/** Where the bundle of a run grows. It takes its place at once, or is thrown away. */
export interface Staging {
  /** Absolute. */
  readonly folder: string;
  /** Absolute; for files that are needed during the run alone. */
  readonly scratch: string;
  /** Absolute path of the output, if there is to be one. */
  readonly target?: string;
  /**
   * Packs the archive, if there is to be one, and puts output and archive in place. The previous ones are gone only
   * when the new ones stand.
   *
   * Stops: once `signal` aborts, rejects with its reason, as long as nothing has been put in place.
   */
  commit(signal?: AbortSignal): Promise<ArchiveResult | undefined>;
  /** Removes all that was written; what has been put in place stands. */
  discard(): Promise<void>;
}

/** What was named as output or archive cannot be replaced, since it is something else. */
export class OutputNotOursError extends Error {
  override readonly name = "OutputNotOursError";
}

/**
 * Opens a place for the bundle, beside where it is to stand, so that a rename puts it there. What killed runs left is
 * put right and removed first.
 *
 * @throws {OutputNotOursError} if `output` is a file or a folder with files but without a manifest of ours; if `archive`
 * is a folder or would lie in the output.
 * @throws {RangeError} if `archive` has no extension of an archive.
 * @throws {Error} of the file system, naming the path, if nothing can be written there.
 */
export async function openStaging(places: { readonly output?: string; readonly archive?: string }): Promise<Staging> {
  const output = places.output === undefined ? undefined : openOutput(places.output);
  let archive: WorkFolder | undefined;
  const archivePath = places.archive === undefined ? undefined : resolve(places.archive);
  try {
    if (archivePath !== undefined) archive = openArchive(archivePath, output?.target);
  } catch (error) {
    await output?.work.remove();
    throw error;
  }
  const work = (output?.work ?? archive)!.path;
  const folder = join(work, "bundle");
  const scratch = join(work, "scratch");
  mkdirSync(folder);
  mkdirSync(scratch);
  return {
    folder,
    scratch,
    target: output?.target,
    async commit(signal) {
      const draft = archive && join(archive.path, basename(archivePath!));
      const packed = draft === undefined ? undefined : await packArchive(folder, draft, signal);
      signal?.throwIfAborted();
      output?.replaceBy(folder);
      if (draft === undefined || packed === undefined) return undefined;
      renameSync(draft, archivePath!);
      return { path: archivePath!, ...packed };
    },
    async discard() {
      await Promise.all([output?.work.remove(), archive?.remove()]);
    },
  };
}

interface Output {
  /** Absolute, behind symbolic links. */
  readonly target: string;
  readonly work: WorkFolder;
  readonly replaceBy: (folder: string) => void;
}

function openOutput(written: string): Output {
  const target = behindLinks(resolve(written));
  const parent = dirname(target);
  for (const leftover of findLeftovers(parent, target)) putBack(join(leftover, "previous"), target);
  removeLeftovers(parent, target);
  for (const leftover of findLeftovers(target, target)) putBackContent(join(leftover, "previous"), target);
  removeLeftovers(target, target);
  refuseForeign(target);
  const isMount = existsSync(target) && existsSync(parent) && statSync(target).dev !== statSync(parent).dev;
  let work: WorkFolder;
  try {
    work = openWorkFolder(isMount ? target : parent, target);
  } catch (error) {
    // Many a web server's folder may be written, but not the one it is in.
    if (isMount || !existsSync(target) || !isRefusal(error)) throw error;
    work = openWorkFolder(target, target);
  }
  const isInside = dirname(work.path) === target;
  const previous = join(work.path, "previous");
  const replaceBy = (folder: string): void => {
    refuseForeign(target, basename(work.path));
    if (isInside) replaceContent(target, folder, previous, basename(work.path));
    else replaceFolder(target, folder, previous);
  };
  return { target, work, replaceBy };
}

function replaceFolder(target: string, folder: string, previous: string): void {
  const replaces = existsSync(target);
  if (replaces) renameSync(target, previous);
  try {
    renameSync(folder, target);
  } catch (error) {
    if (replaces) renameSync(previous, target);
    throw error;
  }
}

/**
 * For a folder that cannot be renamed itself. The manifest goes first and comes last: a folder without it is one whose
 * replacement was cut short.
 */
function replaceContent(target: string, folder: string, previous: string, workName: string): void {
  mkdirSync(previous);
  const leaving = readdirSync(target).filter((name) => name !== workName);
  const coming = readdirSync(folder);
  const gone: string[] = [];
  const come: string[] = [];
  try {
    for (const name of manifestFirst(leaving)) {
      renameSync(join(target, name), join(previous, name));
      gone.push(name);
    }
    for (const name of manifestFirst(coming).reverse()) {
      renameSync(join(folder, name), join(target, name));
      come.push(name);
    }
  } catch (error) {
    for (const name of come) renameSync(join(target, name), join(folder, name));
    for (const name of gone.reverse()) renameSync(join(previous, name), join(target, name));
    throw error;
  }
}

const manifestFirst = (names: readonly string[]): string[] =>
  names.toSorted((a, b) => Number(b === manifestName) - Number(a === manifestName));

/** A run was killed between the two renames of `replaceFolder`. */
function putBack(previous: string, target: string): void {
  if (existsSync(previous) && !existsSync(target)) renameSync(previous, target);
}

/** A run was killed in the midst of `replaceContent`. */
function putBackContent(previous: string, target: string): void {
  if (!existsSync(previous) || existsSync(join(target, manifestName))) return;
  for (const name of manifestFirst(readdirSync(previous)).reverse()) {
    rmSync(join(target, name), { recursive: true, force: true });
    renameSync(join(previous, name), join(target, name));
  }
}

/** @param ours name of an entry that this run has made. */
function refuseForeign(target: string, ours?: string): void {
  let names: string[];
  try {
    names = readdirSync(target).filter((name) => name !== ours);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    if (code !== "ENOTDIR") throw error;
    const isFile = existsSync(target);
    throw new OutputNotOursError(
      isFile
        ? `The output "${target}" is a file. Name a folder.`
        : `The output "${target}" lies below a file. Name a folder in another place.`,
    );
  }
  if (names.length > 0 && !names.includes(manifestName))
    throw new OutputNotOursError(
      `The output folder "${target}" holds files that no export made (there is no ${manifestName} in it), so it is not replaced. Name an empty or new folder, or remove it.`,
    );
}

function openArchive(archive: string, output: string | undefined): WorkFolder {
  requireArchiveName(archive);
  if (statSync(archive, { throwIfNoEntry: false })?.isDirectory())
    throw new OutputNotOursError(`The archive "${archive}" is a folder. Name a file, or remove the folder.`);
  if (output !== undefined && isWithin(behindLinks(archive), output))
    throw new OutputNotOursError(
      `The archive "${archive}" would lie in the output folder, which is replaced as a whole. Name a place outside of it.`,
    );
  removeLeftovers(dirname(archive), archive);
  return openWorkFolder(dirname(archive), archive);
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The path without symbolic links, as far as it exists. */
function behindLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(behindLinks(parent), basename(path));
  }
}

const isRefusal = (error: unknown): boolean =>
  ["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "");
