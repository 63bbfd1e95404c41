import { createHash, type Hash, hash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

/** 128 bits of a SHA-256, for comparing texts that nobody chooses to collide. */
export const shortHash = (content: string | Uint8Array): string => hash("sha256", content, "base64url").slice(0, 22);
/** The same of what has been added to a SHA-256. */
export const shortHashOf = (added: Hash): string => added.digest("base64url").slice(0, 22);

/** One for all files: thousands of them are read one after the other. */
let piece: Buffer | undefined;

/** SHA-256 of a file, which is read in pieces; undefined if it cannot be read. @param path or an open file, to its end */
export function fileHash(path: string | number): Buffer | undefined {
  let file: number | undefined;
  try {
    file = typeof path === "string" ? openSync(path, "r") : path;
    piece ??= Buffer.allocUnsafeSlow(1 << 18);
    const bytes = createHash("sha256");
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece))
      bytes.update(piece.subarray(0, read));
    return bytes.digest();
  } catch {
    return undefined;
  } finally {
    if (file !== undefined && file !== path) closeSync(file);
  }
}
/** `shortHash` of a file's bytes. */
export const shortHashOfFile = (path: string): string | undefined => fileHash(path)?.toString("base64url").slice(0, 22);
