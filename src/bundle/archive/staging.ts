import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { attempt } from "../../lib/attempt.js";
import type { Cache } from "../../lib/cache/index.js";
import { openPieceCache } from "./archive-pieces.js";
import { bundlePath } from "./bundle-writer.js";
import { type ArchiveResult, packArchive, requireArchiveName } from "./create-archive.js";
import { OutputNotOursError, openOutput, resolveLinks } from "./output-folder.js";
import { findLeftovers, openWorkFolder, removeLeftovers, type WorkFolder } from "./work-folder.js";

/** Where a run writes its bundle, which is then published at once or discarded. */
export interface Staging {
  /** Absolute. */
  readonly folder: string;
  /** Absolute path for the run's own temporary files. */
  readonly scratch: string;
  /** Absolute path of the output, if there is one. */
  readonly target?: string;
  /** Absolute path of the archive, if there is one. */
  readonly archive?: string;
  /** Reuses a file of the target without copying it to `folder`, unless a file is written to `folder` under this path. */
  keep(path: string): void;
  /** Current absolute path of a file of the new bundle. */
  placeOf(path: string): string;
  /** Removes a file from the new bundle. */
  remove(path: string): void;
  /** Whether another run has replaced the target in the meantime. */
  isReplaced(): boolean;
  /**
   * Packs the archive, if there is one, and publishes output and archive. The previous ones stay until the new ones are
   * complete. An output with few changes is updated in place. With a cache, unchanged parts of the archive are copied from
   * the previous one.
   *
   * Stops: once `signal` aborts, rejects with its reason, unless something is already published.
   */
  commit(signal?: AbortSignal, cache?: Cache): Promise<ArchiveResult | undefined>;
  /** Removes everything that is not published. */
  discard(): Promise<void>;
}

/**
 * Creates a folder for the bundle: next to its target, so that a rename publishes it, or else in the system's temporary
 * folder. First restores or removes what killed runs left behind.
 *
 * @throws {OutputNotOursError} if `output` is a file, or a folder with files but without our manifest; if `archive` is a
 * folder or inside the output.
 * @throws {RangeError} if `archive` does not have the extension of an archive.
 * @throws {Error} of the file system, with the path, if it is not writable.
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
        pieces?.save();
        return { path: archivePath!, ...packed };
      } finally {
        pieces?.close();
      }
    },
  };
}

/** Adds the file to the folder `to`, unless it is already there. */
function linkFile(from: string, to: string, path: string): void {
  const [file, place] = [join(from, path), join(to, path)];
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  try {
    linkSync(file, place);
  } catch {
    // It is on another file system, or has too many links.
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
  // It may belong to another user.
  for (const leftover of findLeftovers(tmpdir(), target))
    attempt(() => rmSync(leftover, { recursive: true, force: true }));
  return openWorkFolder(tmpdir(), target);
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
