import { readFile } from "node:fs/promises";
import { bundlePath } from "./bundle-writer.js";
import { type Manifest, manifestName } from "./manifest.js";

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
