import { type BundleFile, type Manifest, manifestName } from "../bundle/archive/index.js";
import { isRecord } from "../lib/json/index.js";
import { isStorable } from "../lib/portable-name.js";
import { foldPath } from "../lib/url/index.js";
import { withoutUndefined } from "../lib/without-undefined.js";
import { type BundleLimits, BundleRefused, shown } from "./refusal.js";

/**
 * Reads the text of `offprint.json`, which is not trusted.
 *
 * @throws {BundleRefused} if it is not a manifest of this version, or lists a path twice, outside of the bundle, or that
 * some file systems cannot store.
 */
export function readManifest(text: string, limits: BundleLimits): Manifest {
  const manifest = parsed(text);
  if (!isRecord(manifest) || manifest["formatVersion"] !== 1)
    throw new BundleRefused(
      `${manifestName} is not a manifest of format version 1. Export the site with "offprint export".`,
    );
  const { engineVersion, siteName, pageCount, deployment, address, assistant, analytics, files } = manifest;
  if (
    !isText(engineVersion) ||
    !isText(siteName) ||
    !isText(deployment) ||
    !isCount(pageCount) ||
    ![assistant, analytics].every((origin) => origin === undefined || isOrigin(origin)) ||
    !Array.isArray(files)
  )
    throw new BundleRefused(`${manifestName} is damaged: a value is missing or has the wrong type.`);
  if (files.length > limits.maxFiles)
    throw new BundleRefused(`${manifestName} lists ${files.length} files; the limit is ${limits.maxFiles}.`);
  const bundleFiles = files.map(readFile);
  refuseConflicts(bundleFiles);
  const bytes = bundleFiles.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > limits.maxBytes)
    throw new BundleRefused(`The bundle has ${bytes} bytes; the limit is ${limits.maxBytes}.`);
  const origins = withoutUndefined({ assistant, analytics }) as Pick<Manifest, "assistant" | "analytics">;
  const facts = { formatVersion: 1, engineVersion, siteName, pageCount, deployment } as const;
  return { ...facts, ...addressOf(address), ...origins, files: bundleFiles };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BundleRefused(`${manifestName} is not valid JSON.`, { cause });
  }
}

const isText = (value: unknown): value is string => typeof value === "string" && value.length <= 1000;
/** Strict, since the origin becomes part of a header. */
const isOrigin = (value: unknown): value is string =>
  isText(value) && /^https?:\/\/[\w.:[\]-]+$/.test(value) && URL.canParse(value);
/** An invalid address is ignored. */
const addressOf = (address: unknown): Pick<Manifest, "address"> =>
  isRecord(address) && isText(address["baseUrl"]) && URL.canParse(address["baseUrl"])
    ? { address: { baseUrl: address["baseUrl"], trailingSlash: address["trailingSlash"] === true } }
    : {};
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function readFile(file: unknown): BundleFile {
  if (!isRecord(file)) throw new BundleRefused(`${manifestName} is damaged: it lists a file that is not an object.`);
  const { path, bytes, sha256 } = file;
  if (typeof path !== "string" || !isCount(bytes) || typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256))
    throw new BundleRefused(`${manifestName} is damaged: path, bytes or sha256 of ${shown(path)} is invalid.`);
  const fault = pathFault(path);
  if (fault !== undefined) throw new BundleRefused(`The bundle is refused: the path ${shown(path)} ${fault}.`);
  return { path, bytes, sha256 };
}

/** The predicate of a sentence about the path; undefined if every file system can store the file. */
function pathFault(path: string): string | undefined {
  if (path === "" || path.length > 1000) return "is empty or too long";
  if (path === manifestName) return "is the path of the manifest itself";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "is not relative to the bundle";
  if (path.split("/").some((name) => name === "" || name === "." || name === ".."))
    return "is not a path within the folder";
  if (!path.isWellFormed() || !isStorable(path)) return "has a character or a name that some systems do not allow";
  return undefined;
}

/** Refuses two paths that are the same on some file systems, and a file where a folder must be. */
function refuseConflicts(files: readonly BundleFile[]): void {
  const owners = new Map<string, string>();
  const claim = (folded: string, path: string): void => {
    const owner = owners.get(folded);
    if (owner !== undefined)
      throw new BundleRefused(
        `The bundle is refused: ${shown(path)} and ${shown(owner)} are the same path on some systems.`,
      );
    owners.set(folded, path);
  };
  for (const { path } of files) claim(foldPath(path), path);
  const folders = new Map<string, string>();
  for (const { path } of files)
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      const folded = foldPath(folder);
      const other = folders.get(folded);
      if (other === folder) break;
      if (other !== undefined)
        throw new BundleRefused(
          `The bundle is refused: ${shown(folder)} and ${shown(other)} are the same path on some systems.`,
        );
      const file = owners.get(folded);
      if (file !== undefined)
        throw new BundleRefused(
          `The bundle is refused: ${shown(file)} is a file, but ${shown(path)} needs it to be a folder.`,
        );
      folders.set(folded, folder);
    }
}
