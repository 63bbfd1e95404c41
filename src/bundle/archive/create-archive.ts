import { createHash } from "node:crypto";
import { closeSync, createReadStream, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Manifest } from "./manifest.js";
import { manifestName } from "./manifest.js";
import { openWorkFolder } from "./work-folder.js";
import { zipChunks } from "./write-zip.js";

export interface ArchiveResult {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  /** Of the archive, in lower-case hex. */
  readonly sha256: string;
}

export type ArchiveFormat = "zip" | "tar.gz";

/** The format of an archive of this name; undefined if it is neither. */
export function archiveFormatOf(path: string): ArchiveFormat | undefined {
  if (/\.zip$/i.test(path)) return "zip";
  if (/\.(tar\.gz|tgz)$/i.test(path)) return "tar.gz";
  return undefined;
}

/** @throws {RangeError} if the name has no extension of an archive. */
export function requireArchiveName(path: string): void {
  if (!archiveFormatOf(path))
    throw new RangeError(`The name of an archive ends in .zip, .tar.gz or .tgz; "${path}" does not.`);
}

/**
 * Packs the bundle in `folder` into the file `archive` (`.zip`, `.tar.gz` or `.tgz`): the manifest first, then the files
 * in the manifest's order, with fixed times, owners and modes, so that the same bundle gives the same bytes.
 *
 * Out:   the archive appears under its name only when it is complete; until then an older one stays.
 * Fails: throws the errors of the file system, and of a folder without a manifest; nothing is left behind.
 * Stops: once `signal` aborts, rejects with its reason.
 *
 * @throws {RangeError} if the name has another extension.
 */
export async function createArchive(folder: string, archive: string, signal?: AbortSignal): Promise<ArchiveResult> {
  requireArchiveName(archive);
  const target = resolve(archive);
  const work = openWorkFolder(dirname(target), target);
  try {
    const draft = join(work.path, basename(target));
    const packed = await packArchive(folder, draft, signal);
    renameSync(draft, target);
    return { path: target, ...packed };
  } finally {
    await work.remove();
  }
}

/**
 * As `createArchive`, but writes directly to `draft`, whose folder must exist.
 *
 * Fails, stops: leaves a partial file; the caller removes it with its folder.
 */
export async function packArchive(
  folder: string,
  draft: string,
  signal?: AbortSignal,
): Promise<Omit<ArchiveResult, "path">> {
  signal?.throwIfAborted();
  const format = archiveFormatOf(draft);
  const manifest = JSON.parse(readFileSync(join(folder, manifestName), "utf8")) as Manifest;
  const paths = [manifestName, ...manifest.files.map((file) => file.path)];
  const hash = createHash("sha256");
  try {
    const chunks =
      format === "zip" ? zipChunks(folder, paths, `${draft}.member`, signal) : await tarGzip(folder, paths, signal);
    const out = openSync(draft, "w");
    try {
      for await (const chunk of chunks) {
        signal?.throwIfAborted();
        hash.update(chunk);
        // Unlike writeSync, this writes until every byte is out.
        writeFileSync(out, chunk);
      }
    } finally {
      closeSync(out);
    }
    return { bytes: statSync(draft).size, sha256: hash.digest("hex") };
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}

async function tarGzip(folder: string, paths: readonly string[], signal?: AbortSignal): Promise<Readable> {
  const { pack } = (await import("tar-stream")).default;
  const tar = pack();
  const fill = async (): Promise<void> => {
    for (const path of paths) {
      signal?.throwIfAborted();
      const file = join(folder, path);
      const entry = tar.entry({
        name: path,
        size: statSync(file).size,
        mode: 0o644,
        mtime: new Date(0),
        uid: 0,
        gid: 0,
      });
      await pipeline(createReadStream(file), entry);
    }
    tar.finalize();
  };
  fill().catch((error: Error) => tar.destroy(error));
  const out = neutralGzipHeader();
  pipeline(tar, createGzip(), out).catch(() => {
    // The error has destroyed `out`, where the reader sees it.
  });
  return out;
}

/** Byte 9 of a gzip stream names the operating system; 255 means unknown. */
function neutralGzipHeader(): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (seen <= 9 && seen + chunk.length > 9) chunk[9 - seen] = 255;
      seen += chunk.length;
      done(null, chunk);
    },
  });
}
