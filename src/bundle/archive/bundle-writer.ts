import { createHash, hash } from "node:crypto";
import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BundleFile } from "./bundle-file.js";

/** Of a file: bytes, a text, or the pieces of a text, which become no whole on the way. */
export type FileContent = string | readonly string[] | Uint8Array;

/** @param sha256 of the content, in hexadecimal, where it is known. */
export type WriteBundleFile = (path: string, content: FileContent, sha256?: string) => BundleFile;

/**
 * Writes files of a bundle below `folder`; each thread has its own writer. Without a folder nothing is written, and the
 * files have no hash.
 *
 * @throws {RangeError} for a path that leaves the folder: our bug, since output paths are made by discover.
 * @throws {Error} of the file system, naming the path.
 */
export function createBundleWriter(folder: string | undefined): WriteBundleFile {
  const encode = createEncoder();
  if (folder === undefined) return (path, content) => ({ path, bytes: encode(content).length, sha256: "" });
  const made = new Set<string>();
  return (path, content, sha256) => {
    const file = bundlePath(folder, path);
    const parent = dirname(file);
    if (!made.has(parent)) {
      mkdirSync(parent, { recursive: true });
      made.add(parent);
    }
    const bytes = encode(content);
    writeFileSync(file, bytes);
    return { path, bytes: bytes.length, sha256: sha256 ?? hash("sha256", bytes, "hex") };
  };
}

/** UTF-8 of a text, in memory that the next text is written over: its bytes are gone once they are on the disk. */
function createEncoder(): (content: FileContent) => Uint8Array {
  let room = Buffer.alloc(0);
  return (content) => {
    if (content instanceof Uint8Array) return content;
    const pieces = typeof content === "string" ? [content] : content;
    // A UTF-16 unit takes three bytes at most.
    const most = 3 * pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (room.length < most) room = Buffer.allocUnsafeSlow(Math.max(most, smallestRoom));
    let end = 0;
    for (const piece of pieces) end += room.write(piece, end);
    return room.subarray(0, end);
  };
}
const smallestRoom = 512 * 1024;

/** A part goes to the disk alone if it is this large, in UTF-16 units. */
const writtenAtOnce = 64 * 1024;

/**
 * Writes a file of a bundle from its parts, as they come.
 *
 * @throws as the writer of `createBundleWriter` does.
 */
export async function writeBundleStream(
  folder: string,
  path: string,
  chunks: Iterable<string> | AsyncIterable<string>,
): Promise<BundleFile> {
  const file = bundlePath(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  const hash = createHash("sha256");
  const out = openSync(file, "w");
  const encode = createEncoder();
  let bytes = 0;
  let waiting: string[] = [];
  let units = 0;
  const write = (): void => {
    const part = encode(waiting);
    waiting = [];
    units = 0;
    hash.update(part);
    bytes += part.length;
    // Unlike a single write, this goes on until every byte is out.
    writeFileSync(out, part);
  };
  try {
    for await (const chunk of chunks) {
      waiting.push(chunk);
      units += chunk.length;
      if (units >= writtenAtOnce) write();
    }
    write();
  } finally {
    closeSync(out);
  }
  return { path, bytes, sha256: hash.digest("hex") };
}

/** Absolute place of an output path. @throws {RangeError} if it would leave `folder`. */
export function bundlePath(folder: string, path: string): string {
  const segments = path.split("/");
  if (
    path.includes("\0") ||
    path.includes("\\") ||
    segments.some((part) => part === "" || part === "." || part === "..")
  )
    throw new RangeError(`"${path}" is no path inside a bundle. This is a bug of Offprint; please report it.`);
  return join(folder, path);
}
