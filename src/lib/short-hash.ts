import { createHash, type Hash, hash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

/** 128 bits of a SHA-256, for comparing texts that are not chosen to collide. */
export const shortHash = (content: string | Uint8Array): string => hash("sha256", content, "base64url").slice(0, 22);
/** `shortHash` of the data that has been added to a SHA-256. */
export const shortHashOf = (sha256: Hash): string => sha256.digest("base64url").slice(0, 22);

/** Reused for all files, since thousands of them are read one after the other. */
let buffer: Buffer | undefined;

/** SHA-256 of a file, read in parts; undefined if it cannot be read. @param path path, or descriptor, read to the end */
export function fileHash(path: string | number): Buffer | undefined {
  let file: number | undefined;
  try {
    file = typeof path === "string" ? openSync(path, "r") : path;
    buffer ??= Buffer.allocUnsafeSlow(1 << 18);
    const sha256 = createHash("sha256");
    for (let bytes = readSync(file, buffer); bytes > 0; bytes = readSync(file, buffer))
      sha256.update(buffer.subarray(0, bytes));
    return sha256.digest();
  } catch {
    return undefined;
  } finally {
    if (file !== undefined && file !== path) closeSync(file);
  }
}
/** `shortHash` of a file's bytes. */
export const shortHashOfFile = (path: string): string | undefined => fileHash(path)?.toString("base64url").slice(0, 22);
