import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Cache } from "../../lib/cache/index.js";
import { openPieceCache } from "./archive-pieces.js";
import { bundlePath } from "./bundle-writer.js";
import { type ArchiveResult, packArchive, requireArchiveName } from "./create-archive.js";
import { OutputNotOursError, openOutput, resolveLinks } from "./output-folder.js";
import { findLeftovers, openWorkFolder, removeLeftovers, type WorkFolder } from "./work-folder.js";

/** Where a run writes its bundle. At the end the bundle is put in place at once, or discarded. */
export interface Staging {
  /** Absolute. */
  readonly folder: string;
  /** Absolute; for files that only the run needs. */
  readonly scratch: string;
  /** Absolute path of the output, if there is one. */
  readonly target?: string;
  /** Absolute path of the archive, if there is one. */
  readonly archive?: string;
  /** Takes a file of the target over. It is not in `folder`; one that is written there comes before it. */
  keep(path: string): void;
  /** Absolute path at which a file of the new bundle is now. */
  placeOf(path: string): string;
  /** Takes a file out of the new bundle. */
  remove(path: string): void;
  /** Whether another run has replaced the target since. */
  isReplaced(): boolean;
  /**
   * Packs the archive, if there is one, and puts output and archive in place. The previous ones are removed only when the
   * new ones are complete. An output of which little changes is updated as a whole. With a cache, the archive takes what has not changed from the one that it replaces.
   *
   * Stops: once `signal` aborts, rejects with its reason, as long as nothing has been put in place.
   */
  commit(signal?: AbortSignal, cache?: Cache): Promise<ArchiveResult | undefined>;
  /** Removes everything that was written, except what has been put in place. */
  discard(): Promise<void>;
}

/**
 * Opens a folder for the bundle, next to its target, so that a rename puts it in place; without a target, in the system's
 * temporary folder. First repairs and removes what killed runs left behind.
 *
 * @throws {OutputNotOursError} if `output` is a file, or a folder with files but without our manifest; if `archive` is a
 * folder or inside the output.
 * @throws {RangeError} if `archive` has another extension than an archive's.
 * @throws {Error} of the file system, naming the path, if nothing can be written there.
 */
export async function openStaging(targets: { readonly output?: string; readonly archive?: string }): Promise<Staging> {
  const output = targets.output === undefined ? undefined : openOutput(targets.output);
  let archive: WorkFolder | undefined;
  const archivePath = targets.archive === undefined ? undefined : resolve(targets.archive);
  try {
    if (archivePath !== undefined) archive = openArchive(archivePath, output?.target);
  } catch (error) {
    await output?.work.remove();
    throw error;
  }
  const work = output?.work ?? archive ?? openTemporary();
  const folder = join(work.path, "bundle");
  const scratch = join(work.path, "scratch");
  const discard = async (): Promise<void> => {
    await Promise.all([work.remove(), archive?.remove()]);
  };
  try {
    mkdirSync(folder);
    mkdirSync(scratch);
  } catch (error) {
    await discard();
    throw error;
  }
  const shared = new Set<string>();
  return {
    discard,
    folder,
    scratch,
    keep: (path) => void shared.add(path),
    placeOf(path) {
      const place = bundlePath(folder, path);
      return shared.has(path) && !existsSync(place) ? bundlePath(output!.target, path) : place;
    },
    remove(path) {
      shared.delete(path);
      rmSync(bundlePath(folder, path), { force: true });
    },
    isReplaced: () => output?.isReplaced() ?? false,
    target: output?.target,
    archive: archivePath,
    async commit(signal, cache) {
      const draft = archive && join(archive.path, basename(archivePath!));
      const pieces = archive && cache && openPieceCache(archivePath!, cache);
      try {
        signal?.throwIfAborted();
        if (draft === undefined && output?.updateBy(folder, shared)) return undefined;
        for (const path of shared) linkFile(output!.target, folder, path);
        const packed = draft === undefined ? undefined : await packArchive(folder, draft, { pieces, signal });
        signal?.throwIfAborted();
        output?.replaceBy(folder);
        if (draft === undefined || packed === undefined) return undefined;
        renameSync(draft, archivePath!);
        pieces?.keep();
        return { path: archivePath!, ...packed };
      } finally {
        pieces?.close();
      }
    },
  };
}

/** One that is there already stays. */
function linkFile(from: string, to: string, path: string): void {
  const [file, place] = [join(from, path), join(to, path)];
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  try {
    linkSync(file, place);
  } catch {
    // Another file system, or a limit of this one.
    copyFileSync(file, place);
  }
}

function openArchive(archive: string, output: string | undefined): WorkFolder {
  requireArchiveName(archive);
  if (statSync(archive, { throwIfNoEntry: false })?.isDirectory())
    throw new OutputNotOursError(`The archive "${archive}" is a folder. Name a file, or remove the folder.`);
  if (output !== undefined && isWithin(resolveLinks(archive), output))
    throw new OutputNotOursError(
      `The archive "${archive}" is inside the output folder, which every export replaces. Name a path outside it.`,
    );
  removeLeftovers(dirname(archive), archive);
  return openWorkFolder(dirname(archive), archive);
}

function openTemporary(): WorkFolder {
  const target = join(tmpdir(), "memory");
  for (const leftover of findLeftovers(tmpdir(), target))
    try {
      rmSync(leftover, { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  return openWorkFolder(tmpdir(), target);
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
