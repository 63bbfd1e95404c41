import { createHash, hash } from "node:crypto";
import * as fs from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Transform } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import {
  type ArchiveEntry,
  type BundleFile,
  type Manifest,
  type Meter,
  manifestName,
  tarEntries,
} from "../bundle/archive/index.js";
import { readManifest } from "./read-manifest.js";
import { type BundleLimits, BundleRefused, shown } from "./refusal.js";

/** Room for headers of entries, padding and buffers of streams. */
const slackBytes = 8 * 1024 * 1024;

export interface VerifiedBundle {
  readonly manifest: Manifest;
  /** SHA-256 of `offprint.json` in lower-case hex; it covers all files, because the manifest has their hashes. */
  readonly bundleId: string;
}

/**
 * Unpacks the `.zip` or `.tar.gz` of a bundle into `folder`, which is empty, and verifies it on the way: the manifest must
 * come first, then each listed file once, with its size and SHA-256, and nothing else. Only plain files of verified paths
 * are written, so nothing can leave the folder.
 *
 * Fails: the caller removes the folder with what was written.
 * Stops: once `signal` aborts, rejects with its reason.
 *
 * @throws {BundleRefused} if the archive has anything else, or exceeds `limits`.
 */
export async function unpack(
  archive: string,
  folder: string,
  limits: BundleLimits,
  signal?: AbortSignal,
): Promise<VerifiedBundle> {
  const budget = createBudget(fs.statSync(archive).size, limits);
  let bundle: VerifiedBundle | undefined;
  const missing = new Map<string, BundleFile>();
  try {
    for await (const entry of await entriesOf(archive, budget.meter, signal)) {
      signal?.throwIfAborted();
      const { name, type } = entry;
      if (type !== "file")
        throw new BundleRefused(`The archive is refused: ${shown(name)} is a ${type}; only plain files are allowed.`);
      if (bundle === undefined) {
        bundle = await takeManifest(entry, folder, limits);
        for (const file of bundle.manifest.files) missing.set(file.path, file);
        budget.allow(bundle.manifest.files);
        continue;
      }
      const file = missing.get(name);
      if (file === undefined) throw unlisted(name, bundle.manifest);
      missing.delete(name);
      await takeFile(file, entry, folder, signal);
    }
  } catch (error) {
    throw archiveFault(error, signal);
  }
  const [firstMissing] = missing.keys();
  if (bundle === undefined) throw new BundleRefused("The archive is refused: it is empty.");
  if (firstMissing !== undefined)
    throw new BundleRefused(`The archive is refused: ${shown(firstMissing)} is in the manifest but missing.`);
  return bundle;
}

/** Detects the format by the content, because a link may have no file name. */
async function entriesOf(archive: string, meter: Meter, signal?: AbortSignal): Promise<AsyncIterable<ArchiveEntry>> {
  const file = await open(archive);
  const { buffer } = await file.read(Buffer.alloc(2)).finally(() => file.close());
  if (buffer.toString("latin1") === "PK") return (await import("./zip-entries.js")).zipEntries(archive, meter);
  return tarEntries(archive, meter, signal);
}

/** Counts the unpacked bytes, and refuses more than a bundle of this size can have. */
function createBudget(archiveBytes: number, { maxBytes, maxManifestBytes, maxRatio }: BundleLimits) {
  const byRatio = Math.max(slackBytes, archiveBytes * maxRatio);
  let allowed = Math.min(byRatio, maxManifestBytes + slackBytes);
  let unpackedBytes = 0;
  const meter: Meter = (bytes) => {
    unpackedBytes += bytes;
    if (unpackedBytes > allowed)
      throw new BundleRefused("The archive is refused: it unpacks to more bytes than its manifest or its size allows.");
  };
  const allow = (files: readonly BundleFile[]): void => {
    // Each entry has a header, perhaps one for a long name, and padding to a whole block.
    const content = files.reduce((sum, file) => sum + file.bytes + 4096, 0);
    allowed = Math.min(byRatio, maxBytes, maxManifestBytes + content) + slackBytes;
  };
  return { meter, allow };
}

async function takeManifest(
  { name, size, content }: ArchiveEntry,
  folder: string,
  limits: BundleLimits,
): Promise<VerifiedBundle> {
  if (name !== manifestName)
    throw new BundleRefused(
      `The archive is refused: it starts with ${shown(name)}, not with ${manifestName}. Create it with "offprint export --archive".`,
    );
  if (size > limits.maxManifestBytes)
    throw new BundleRefused(`The archive is refused: ${manifestName} is larger than ${limits.maxManifestBytes} bytes.`);
  const bytes = await buffer(content);
  const manifest = readManifest(bytes.toString("utf8"), limits);
  fs.writeFileSync(join(folder, manifestName), bytes, { flag: "wx" });
  return { manifest, bundleId: hash("sha256", bytes) };
}

async function takeFile(
  file: BundleFile,
  { size, content }: ArchiveEntry,
  folder: string,
  signal?: AbortSignal,
): Promise<void> {
  if (size !== file.bytes) throw differs(file.path);
  const path = join(folder, file.path);
  fs.mkdirSync(dirname(path), { recursive: true });
  const fileHash = createHash("sha256");
  const addToHash = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      fileHash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(content, addToHash, fs.createWriteStream(path, { flags: "wx" }), signal ? { signal } : {});
  if (fileHash.digest("hex") !== file.sha256) throw differs(file.path);
}

const differs = (path: string): BundleRefused =>
  new BundleRefused(`The archive is refused: ${shown(path)} is not the file that the manifest lists.`);

const unlisted = (name: string, { files }: Manifest): BundleRefused =>
  new BundleRefused(
    files.some(({ path }) => path === name)
      ? `The archive is refused: it contains ${shown(name)} twice.`
      : `The archive is refused: it contains ${shown(name)}, which its manifest does not list.`,
  );

/** Reports every error as a fault of the archive, except errors of the system. */
function archiveFault(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof BundleRefused || (code !== undefined && /^E[A-Z]+$/.test(code))) return error;
  return new BundleRefused(`The archive is refused: it is not a complete .tar.gz or .zip (${message}).`, {
    cause: error,
  });
}

/**
 * Verifies the bundle in `folder`: the manifest, and the size and hash of every listed file. Other files in the folder
 * are ignored and never served.
 *
 * Stops: once `signal` aborts, rejects with its reason.
 *
 * @throws {BundleRefused} that names the first file that is missing, a link or changed.
 */
export async function verifyFolder(
  folder: string,
  limits: BundleLimits,
  signal?: AbortSignal,
): Promise<VerifiedBundle> {
  const text = manifestText(folder, limits);
  const manifest = readManifest(text.toString("utf8"), limits);
  const pause = createPause(signal);
  for (const { path, bytes, sha256 } of manifest.files) {
    await pause();
    const file = join(folder, path);
    const stats = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) throw changed(folder, path, "is missing");
    if (!stats.isFile()) throw changed(folder, path, "is not a plain file");
    if (stats.size !== bytes || (await sha256Of(file, bytes)) !== sha256)
      throw changed(folder, path, "is not the file that the manifest lists");
  }
  return { manifest, bundleId: hash("sha256", text) };
}

function manifestText(folder: string, limits: BundleLimits): Buffer {
  const file = join(folder, manifestName);
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile())
    throw new BundleRefused(
      `"${folder}" is not a bundle: it has no ${manifestName}. Give the folder that "offprint export" wrote.`,
    );
  if (stats.size > limits.maxManifestBytes)
    throw new BundleRefused(`"${file}" is larger than ${limits.maxManifestBytes} bytes.`);
  return fs.readFileSync(file);
}

const wholeFileBytes = 4 * 1024 * 1024;

async function sha256Of(file: string, bytes: number): Promise<string> {
  // Most files are small; streams would take several times as long.
  if (bytes <= wholeFileBytes) return hash("sha256", fs.readFileSync(file));
  const fileHash = createHash("sha256");
  await pipeline(fs.createReadStream(file), fileHash);
  return fileHash.digest("hex");
}

const changed = (folder: string, path: string, how: string): BundleRefused =>
  new BundleRefused(`The bundle in "${folder}" is refused: ${shown(path)} ${how}. Export it again.`);

/** For long loops: lets the server answer requests every 10 ms, and rejects once `signal` aborts. */
export function createPause(signal: AbortSignal | undefined): () => Promise<void> {
  let pausedAt = performance.now();
  return async () => {
    if (performance.now() - pausedAt <= 10) return;
    await setImmediate();
    signal?.throwIfAborted();
    pausedAt = performance.now();
  };
}
