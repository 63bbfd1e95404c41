import { createHash, hash } from "node:crypto";
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { waitForFiles } from "../../lib/wait-for-files.js";
import { type BundleFile, type Manifest, manifestName } from "./manifest.js";
import { OutputReplacedError } from "./update-folder.js";

/** Bytes, a text, or the parts of a text, which are written one after the other. */
export type FileContent = string | readonly string[] | Uint8Array;

/** @param sha256 of the content, in lower-case hex, if it is known. */
export type WriteBundleFile = (path: string, content: FileContent, sha256?: string) => BundleFile;

/**
 * Creates a function that writes files of a bundle to `folder`. Each thread has its own writer. Without a folder, nothing
 * is written or hashed.
 *
 * @throws {RangeError} for a path outside the folder: our bug.
 * @throws {Error} of the file system, with the path.
 */
export function createBundleWriter(folder: string | undefined): WriteBundleFile {
  const encode = createEncoder();
  if (folder === undefined) return (path, content) => ({ path, bytes: encode(content).length, sha256: "" });
  /** Folders that are known to exist. */
  const created = new Set<string>();
  /** Hashes of files that were written more than once, by path: each page that loads a script writes it. */
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
    if (repeated.get(path) !== file.sha256 && !createFile(`${folder}/${path}`, bytes)) repeated.set(path, file.sha256);
    return file;
  };
}

/** Creates a file in place of a hard link to the previous bundle's. @returns false if there was one. */
function createFile(file: string, bytes: Uint8Array): boolean {
  try {
    waitForFiles(() => writeFileSync(file, bytes, { flag: "wx" }));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // Another thread may be writing the same bytes to this path.
    rmSync(file, { force: true });
    waitForFiles(() => writeFileSync(file, bytes));
    return false;
  }
}

/** Creates a function that encodes texts as UTF-8. The result is valid until the next call, which reuses the buffer. */
function createEncoder(): (content: FileContent | readonly (string | Uint8Array)[]) => Uint8Array {
  let buffer = Buffer.alloc(0);
  return (content) => {
    if (content instanceof Uint8Array) return content;
    const pieces = typeof content === "string" ? [content] : content;
    // A UTF-16 code unit takes at most three bytes.
    const maxBytes = 3 * pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (buffer.length < maxBytes) buffer = Buffer.allocUnsafeSlow(Math.max(maxBytes, minBufferBytes));
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
const minBufferBytes = 512 * 1024;

/** A range of a file that is open for reading. */
export interface FilePart {
  readonly file: number;
  readonly at: number;
  readonly bytes: number;
}

type Chunk = string | Uint8Array | FilePart;

/** Texts are buffered up to this length, in UTF-16 code units. */
const chunkUnits = 64 * 1024;
const copyBufferBytes = 256 * 1024;

/**
 * Writes a file of a bundle chunk by chunk.
 *
 * @throws like the writer of `createBundleWriter`. @throws {OutputReplacedError} if a file is shorter than a part of it.
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
  let buffered: (string | Uint8Array)[] = [];
  let units = 0;
  /** To be written after `buffered`. */
  let part: FilePart | undefined;
  let copyBuffer: Buffer | undefined;
  const put = (encoded: Uint8Array): void => {
    hash.update(encoded);
    bytes += encoded.length;
    // Unlike writeSync, this always writes all bytes.
    writeFileSync(out, encoded);
  };
  const write = (): void => {
    if (units > 0) put(encode(buffered));
    buffered = [];
    units = 0;
    let { file = 0, at = 0, bytes: remaining = 0 } = part ?? {};
    part = undefined;
    while (remaining > 0) {
      copyBuffer ??= Buffer.allocUnsafe(copyBufferBytes);
      const read = readSync(file, copyBuffer, 0, Math.min(remaining, copyBufferBytes), at);
      if (read === 0) throw new OutputReplacedError(`A file that "${path}" is made from has become shorter.`);
      put(copyBuffer.subarray(0, read));
      at += read;
      remaining -= read;
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
      buffered.push(chunk);
      units += chunk.length;
      if (units >= chunkUnits) write();
    }
    write();
  } finally {
    closeSync(out);
  }
  return { path, bytes, sha256: hash.digest("hex") };
}

/** The absolute path for an output path. @throws {RangeError} if it is outside `folder`. */
export function bundlePath(folder: string, path: string): string {
  for (const segment of path.split("/")) requireSegment(segment, path);
  return join(folder, path);
}

/** @throws {RangeError} if the name could lead outside the folder. */
function requireSegment(segment: string, path: string): void {
  if (segment === "" || segment === "." || segment === ".." || segment.includes("\0") || segment.includes("\\"))
    throw new RangeError(`"${path}" is not a path inside a bundle. This is a bug of Offprint; please report it.`);
}

/**
 * Reads a bundle into memory: the bytes of each file by output path. The manifest comes first, then its files in order.
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
