import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { waitForFiles } from "../../lib/wait-for-files.js";
import type { FileToPack, PieceCache } from "./archive-pieces.js";
import { type BundleFile, type Manifest, manifestName } from "./manifest.js";
import { openWorkFolder } from "./work-folder.js";
import { tarGzipChunks } from "./write-tar.js";
import { zipChunks } from "./write-zip.js";

export interface ArchiveResult {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  /** Of the archive, in lower-case hex. */
  readonly sha256: string;
}

export type ArchiveFormat = "zip" | "tar.gz";

/** The format of an archive with this name; undefined if no format has its extension. */
export function archiveFormatOf(path: string): ArchiveFormat | undefined {
  if (/\.zip$/i.test(path)) return "zip";
  if (/\.(tar\.gz|tgz)$/i.test(path)) return "tar.gz";
  return undefined;
}

/** @throws {RangeError} if the name does not have the extension of an archive. */
export function requireArchiveName(path: string): void {
  if (!archiveFormatOf(path))
    throw new RangeError(`The name of an archive must end in .zip, .tar.gz or .tgz; "${path}" does not.`);
}

/**
 * Packs the bundle in `folder` into the file `archive` (`.zip`, `.tar.gz` or `.tgz`): the manifest first, then the files
 * in the manifest's order, with fixed times, owners and modes, so that the same bundle gives the same bytes.
 *
 * Out:   the archive appears under its name when it is complete; until then an older one stays.
 * Fails: throws errors of the file system, also for a folder without a manifest. Leaves nothing behind.
 * Stops: once `signal` aborts, rejects with its reason.
 *
 * @throws {RangeError} if the name does not have one of these extensions.
 */
export async function createArchive(folder: string, archive: string, signal?: AbortSignal): Promise<ArchiveResult> {
  requireArchiveName(archive);
  const target = resolve(archive);
  const work = openWorkFolder(dirname(target), target);
  try {
    const draft = join(work.path, basename(target));
    const packed = await packArchive(folder, draft, { signal });
    renameSync(draft, target);
    return { path: target, ...packed };
  } finally {
    await work.remove();
  }
}

export interface PackOptions {
  /** Pieces of the previous archive. If given, the sizes and hashes in the manifest are trusted. */
  readonly pieces?: PieceCache | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Like `createArchive`, but writes directly to `draft`, whose folder must exist.
 *
 * Fails, stops: leaves an incomplete file, which the caller removes with its folder.
 */
export async function packArchive(
  folder: string,
  draft: string,
  { pieces, signal }: PackOptions = {},
): Promise<Omit<ArchiveResult, "path">> {
  signal?.throwIfAborted();
  const manifest = JSON.parse(readFileSync(join(folder, manifestName), "utf8")) as Manifest;
  const fileOf = ({ path, bytes, sha256 }: Partial<BundleFile> & { readonly path: string }): FileToPack => {
    const source = join(folder, path);
    const isKnown = pieces !== undefined && bytes !== undefined && sha256 !== undefined;
    return isKnown ? { path, source, size: bytes, sha256 } : { path, source, size: statSync(source).size };
  };
  const files = [{ path: manifestName }, ...manifest.files].map(fileOf);
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    const chunks =
      archiveFormatOf(draft) === "zip"
        ? zipChunks(files, pieces, `${draft}.member`, signal)
        : tarGzipChunks(files, pieces, signal);
    const out = waitForFiles(() => openSync(draft, "w"));
    try {
      for await (const chunk of inBlocks(chunks)) {
        signal?.throwIfAborted();
        hash.update(chunk);
        bytes += chunk.length;
        // Unlike writeSync, this always writes all bytes.
        writeFileSync(out, chunk);
      }
    } finally {
      closeSync(out);
    }
    return { bytes, sha256: hash.digest("hex") };
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}

const blockBytes = 256 * 1024;

/** Joins small chunks into blocks. A block is valid until the next one is requested. */
async function* inBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const block = Buffer.allocUnsafeSlow(blockBytes);
  let used = 0;
  for await (const chunk of chunks) {
    if (used + chunk.length > blockBytes) {
      yield block.subarray(0, used);
      used = 0;
    }
    if (chunk.length > blockBytes) yield chunk;
    else {
      block.set(chunk, used);
      used += chunk.length;
    }
  }
  yield block.subarray(0, used);
}
