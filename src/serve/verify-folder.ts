import { createHash } from "node:crypto";
import { createReadStream, lstatSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { manifestName } from "../bundle/archive/index.js";
import { readManifest } from "./read-manifest.js";
import type { BundleLimits } from "./refusal.js";
import { BundleRefused, shown } from "./refusal.js";
import type { Unpacked } from "./unpack.js";

/**
 * Verifies the bundle in `folder`: the manifest, and the size and hash of every listed file. Other files in the folder
 * are ignored and never served.
 *
 * Stops: once `signal` aborts, rejects with its reason.
 *
 * @throws {BundleRefused} that names the first file that is missing, a link or changed.
 */
export async function verifyFolder(folder: string, limits: BundleLimits, signal?: AbortSignal): Promise<Unpacked> {
  const text = manifestText(folder, limits);
  const manifest = readManifest(text.toString("utf8"), limits);
  let pausedAt = performance.now();
  for (const { path, bytes, sha256 } of manifest.files) {
    // Lets the server answer requests in between.
    if (performance.now() - pausedAt > 10) {
      await setImmediate();
      signal?.throwIfAborted();
      pausedAt = performance.now();
    }
    const file = join(folder, path);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) throw changed(folder, path, "is missing");
    if (!stats.isFile()) throw changed(folder, path, "is not a plain file");
    if (stats.size !== bytes || (await hashOf(file, bytes)) !== sha256)
      throw changed(folder, path, "is not the file that the manifest lists");
  }
  return { manifest, bundleId: createHash("sha256").update(text).digest("hex") };
}

function manifestText(folder: string, limits: BundleLimits): Buffer {
  const file = join(folder, manifestName);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile())
    throw new BundleRefused(
      `"${folder}" is not a bundle: it has no ${manifestName}. Give the folder that "offprint export" wrote.`,
    );
  if (stats.size > limits.maxManifestBytes)
    throw new BundleRefused(`"${file}" is larger than ${limits.maxManifestBytes} bytes.`);
  return readFileSync(file);
}

const wholeFileBytes = 4 * 1024 * 1024;

async function hashOf(file: string, bytes: number): Promise<string> {
  const hash = createHash("sha256");
  // Most files are small; streams would take several times as long.
  if (bytes <= wholeFileBytes) return hash.update(readFileSync(file)).digest("hex");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

const changed = (folder: string, path: string, how: string): BundleRefused =>
  new BundleRefused(`The bundle in "${folder}" is refused: ${shown(path)} ${how}. Export it again.`);
