import { createHash, hash } from "node:crypto";
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { waitForFiles } from "../../lib/wait-for-files.js";
import { type BundleFile, type Manifest, manifestName } from "./manifest.js";
import { OutputReplacedError } from "./update-folder.js";

/** Bytes, a text, or the pieces of a text, which are written without being joined. */
export type FileContent = string | readonly string[] | Uint8Array;

/** @param sha256 of the content, in lower-case hex, if it is known. */
export type WriteBundleFile = (path: string, content: FileContent, sha256?: string) => BundleFile;

/**
 * Writes files of a bundle below `folder`; each thread has its own writer. Without a folder nothing is written, and the
 * files have no hash.
 *
 * @throws {RangeError} for a path outside the folder: our bug.
 * @throws {Error} of the file system, naming the path.
 */
export function createBundleWriter(folder: string | undefined): WriteBundleFile {
  const encode = createEncoder();
  if (folder === undefined) return (path, content) => ({ path, bytes: encode(content).length, sha256: "" });
  /** Folders of the bundle that exist. */
  const created = new Set<string>();
  /** Hashes of files that were written again, by path: pages that load one script each write it. */
  const repeated = new Map<string, string>();
  return (path, content, sha256) => {
    const nameAt = path.lastIndexOf("/") + 1;
    const parent = path.slice(0, nameAt);
    if (!created.has(parent)) {
      mkdirSync(dirname(bundlePath(folder, path)), { recursive: true });
      created.add(parent);
    } else requireSegment(path.slice(nameAt), path);
    const bytes = encode(content);
    const file = { path, bytes: bytes.length, sha256: sha256 ?? hash("sha256", bytes, "hex") };
    if (repeated.get(path) !== file.sha256 && !writeAlone(`${folder}/${path}`, bytes)) repeated.set(path, file.sha256);
    return file;
  };
}

/**
 * Writes a file of this bundle only: one that is there may be a file of the previous bundle, too.
 *
 * @returns whether it was not there.
 */
function writeAlone(file: string, bytes: Uint8Array): boolean {
  try {
    waitForFiles(() => writeFileSync(file, bytes, { flag: "wx" }));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // Another thread can be at the same place, with the same bytes.
    rmSync(file, { force: true });
    waitForFiles(() => writeFileSync(file, bytes));
    return false;
  }
}

/** Encodes texts as UTF-8 in one buffer: the next text overwrites the bytes. */
function createEncoder(): (content: FileContent | readonly (string | Uint8Array)[]) => Uint8Array {
  let buffer = Buffer.alloc(0);
  return (content) => {
    if (content instanceof Uint8Array) return content;
    const pieces = typeof content === "string" ? [content] : content;
    // A UTF-16 unit takes three bytes at most.
    const most = 3 * pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (buffer.length < most) buffer = Buffer.allocUnsafeSlow(Math.max(most, smallestBuffer));
    let end = 0;
    for (const piece of pieces) {
      if (typeof piece === "string") end += buffer.write(piece, end);
      else {
        buffer.set(piece, end);
        end += piece.length;
      }
    }
    return buffer.subarray(0, end);
  };
}
const smallestBuffer = 512 * 1024;

/** Bytes of a file that is open for reading. */
export interface FilePart {
  readonly file: number;
  readonly at: number;
  readonly bytes: number;
}

type Chunk = string | Uint8Array | FilePart;

/** Chunks are collected up to this size before they are written, in UTF-16 units. */
const chunkUnits = 64 * 1024;
const copiedBytes = 256 * 1024;

/**
 * Writes a file of a bundle chunk by chunk.
 *
 * @throws as the writer of `createBundleWriter` does. @throws {OutputReplacedError} if a part is not in its file.
 */
export async function writeBundleStream(
  folder: string,
  path: string,
  chunks: Iterable<Chunk> | AsyncIterable<Chunk>,
): Promise<BundleFile> {
  const file = bundlePath(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  const hash = createHash("sha256");
  const out = waitForFiles(() => openSync(file, "w"));
  const encode = createEncoder();
  let bytes = 0;
  let waiting: (string | Uint8Array)[] = [];
  let units = 0;
  /** Comes after what is waiting. */
  let part: FilePart | undefined;
  let copied: Buffer | undefined;
  const put = (encoded: Uint8Array): void => {
    hash.update(encoded);
    bytes += encoded.length;
    // Unlike writeSync, this writes until every byte is out.
    writeFileSync(out, encoded);
  };
  const write = (): void => {
    if (units > 0) put(encode(waiting));
    waiting = [];
    units = 0;
    let { file = 0, at = 0, bytes: left = 0 } = part ?? {};
    part = undefined;
    while (left > 0) {
      copied ??= Buffer.allocUnsafe(copiedBytes);
      const read = readSync(file, copied, 0, Math.min(left, copiedBytes), at);
      if (read === 0) throw new OutputReplacedError(`A file that "${path}" is made from has become shorter.`);
      put(copied.subarray(0, read));
      at += read;
      left -= read;
    }
  };
  try {
    for await (const chunk of chunks) {
      if (typeof chunk === "object" && "file" in chunk) {
        if (part?.file === chunk.file && part.at + part.bytes === chunk.at)
          part = { ...part, bytes: part.bytes + chunk.bytes };
        else {
          write();
          part = chunk;
        }
        continue;
      }
      if (part) write();
      waiting.push(chunk);
      units += chunk.length;
      if (units >= chunkUnits) write();
    }
    write();
  } finally {
    closeSync(out);
  }
  return { path, bytes, sha256: hash.digest("hex") };
}

/** Absolute path of an output path. @throws {RangeError} if it is outside `folder`. */
export function bundlePath(folder: string, path: string): string {
  for (const segment of path.split("/")) requireSegment(segment, path);
  return join(folder, path);
}

/** @throws {RangeError} if the name of a file or folder would lead elsewhere. */
function requireSegment(segment: string, path: string): void {
  if (segment === "" || segment === "." || segment === ".." || segment.includes("\0") || segment.includes("\\"))
    throw new RangeError(`"${path}" is not a path inside a bundle. This is a bug of Offprint; please report it.`);
}

/**
 * Reads a whole bundle into memory: the bytes of each file by output path, the manifest first, then the manifest's order.
 *
 * Stops: once `signal` aborts, rejects with its reason.
 */
export async function readBundle(
  folder: string,
  manifest: Manifest,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const path of [manifestName, ...manifest.files.map((file) => file.path)]) {
    signal?.throwIfAborted();
    const { buffer, byteOffset, length } = await readFile(bundlePath(folder, path));
    files.set(path, new Uint8Array(buffer, byteOffset, length));
  }
  return files;
}
