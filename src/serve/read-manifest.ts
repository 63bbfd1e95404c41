import { type BundleFile, type Manifest, manifestName } from "../bundle/archive/index.js";
import { isStorable } from "../lib/portable-name.js";
import { foldPath } from "../lib/url/index.js";
import { BundleRefused, isRecord, shown } from "./refusal.js";

/** How large a bundle may be. */
export interface BundleLimits {
  readonly maxFiles: number;
  /** Of all files together, unpacked. */
  readonly maxBytes: number;
  readonly maxManifestBytes: number;
  /** How many times larger than its archive a bundle may be. */
  readonly maxRatio: number;
}
export const bundleLimitDefaults: BundleLimits = {
  maxFiles: 500_000,
  maxBytes: 16 * 1024 ** 3,
  maxManifestBytes: 128 * 1024 ** 2,
  maxRatio: 100,
};

/**
 * Reads the text of `offprint.json`, which anyone may have written.
 *
 * @throws {BundleRefused} if it is not a manifest of this form, names a file twice, or one that some system could not hold
 * or that would lie outside of the bundle.
 */
export function readManifest(text: string, limits: BundleLimits): Manifest {
  const manifest = parsed(text);
  if (!isRecord(manifest) || manifest["formatVersion"] !== 1)
    throw new BundleRefused(
      `${manifestName} is not a manifest of format version 1. Export the site with "offprint export".`,
    );
  const { engineVersion, siteName, pageCount, deployment, files } = manifest;
  if (
    !isText(engineVersion) ||
    !isText(siteName) ||
    !isText(deployment) ||
    !isCount(pageCount) ||
    !Array.isArray(files)
  )
    throw new BundleRefused(`${manifestName} is damaged: a value is missing or of another kind than it should be.`);
  if (files.length > limits.maxFiles)
    throw new BundleRefused(`${manifestName} lists ${files.length} files; at most ${limits.maxFiles} are taken.`);
  const read = files.map(readFile);
  refuseTwins(read);
  const bytes = read.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > limits.maxBytes)
    throw new BundleRefused(`The bundle holds ${bytes} bytes; at most ${limits.maxBytes} are taken.`);
  return { formatVersion: 1, engineVersion, siteName, pageCount, deployment, files: read };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BundleRefused(`${manifestName} is no JSON text.`, { cause });
  }
}

const isText = (value: unknown): value is string => typeof value === "string" && value.length <= 1000;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function readFile(file: unknown): BundleFile {
  if (!isRecord(file)) throw new BundleRefused(`${manifestName} is damaged: it lists a file that is no object.`);
  const { path, bytes, sha256 } = file;
  if (typeof path !== "string" || !isCount(bytes) || typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256))
    throw new BundleRefused(
      `${manifestName} is damaged: path, bytes or sha256 of ${shown(path)} is not what it should be.`,
    );
  const fault = pathFault(path);
  if (fault !== undefined) throw new BundleRefused(`The bundle is refused: the path ${shown(path)} ${fault}.`);
  return { path, bytes, sha256 };
}

/** What is wrong with the path of a file, to stand after it; undefined for one that every system can hold. */
function pathFault(path: string): string | undefined {
  if (path === "" || path.length > 1000) return "is empty or too long";
  if (path === manifestName) return "is the manifest's own";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "is not relative to the bundle";
  if (path.split("/").some((name) => name === "" || name === "." || name === ".."))
    return "does not stay in its folder";
  if (!path.isWellFormed() || !isStorable(path)) return "holds a character or a name that some systems refuse";
  return undefined;
}

/** Two files that some file system takes for one, or a file where a folder must be. */
function refuseTwins(files: readonly BundleFile[]): void {
  const owners = new Map<string, string>();
  const claim = (folded: string, path: string): void => {
    const owner = owners.get(folded);
    if (owner !== undefined)
      throw new BundleRefused(
        `The bundle is refused: ${shown(path)} and ${shown(owner)} are one place on some systems.`,
      );
    owners.set(folded, path);
  };
  for (const { path } of files) claim(foldPath(path), path);
  const folders = new Map<string, string>();
  for (const { path } of files)
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      const folded = foldPath(folder);
      const known = folders.get(folded);
      if (known === folder) break;
      if (known !== undefined)
        throw new BundleRefused(
          `The bundle is refused: ${shown(folder)} and ${shown(known)} are one place on some systems.`,
        );
      const file = owners.get(folded);
      if (file !== undefined)
        throw new BundleRefused(
          `The bundle is refused: ${shown(file)} is a file, and ${shown(path)} needs it as a folder.`,
        );
      folders.set(folded, folder);
    }
}
