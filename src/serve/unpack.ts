import { createHash } from "node:crypto";
import { createWriteStream, mkdirSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  type ArchiveEntry,
  type BundleFile,
  type Manifest,
  type Meter,
  manifestName,
  tarEntries,
} from "../bundle/archive/index.js";
import { readManifest } from "./read-manifest.js";
import type { BundleLimits } from "./refusal.js";
import { BundleRefused, shown } from "./refusal.js";

/** For headers of entries, padding and buffers of streams. */
const slackBytes = 8 * 1024 * 1024;

export interface Unpacked {
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
): Promise<Unpacked> {
  const budget = createBudget(statSync(archive).size, limits);
  let unpacked: Unpacked | undefined;
  const missing = new Map<string, BundleFile>();
  try {
    for await (const entry of await entriesOf(archive, budget.meter, signal)) {
      signal?.throwIfAborted();
      const { name, type } = entry;
      if (type !== "file")
        throw new BundleRefused(`The archive is refused: ${shown(name)} is a ${type}; only plain files are allowed.`);
      if (unpacked === undefined) {
        unpacked = await takeManifest(entry, folder, limits);
        for (const file of unpacked.manifest.files) missing.set(file.path, file);
        budget.allow(unpacked.manifest.files);
        continue;
      }
      const file = missing.get(name);
      if (file === undefined) throw unwanted(name, unpacked.manifest);
      missing.delete(name);
      await takeFile(file, entry, folder, signal);
    }
  } catch (error) {
    throw faultOf(error, signal);
  }
  const [left] = missing.keys();
  if (unpacked === undefined) throw new BundleRefused("The archive is refused: it is empty.");
  if (left !== undefined)
    throw new BundleRefused(`The archive is refused: ${shown(left)} is in the manifest but missing.`);
  return unpacked;
}

/** Detects the format by the content, because a link need not contain a file name. */
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
  let passed = 0;
  const meter: Meter = (bytes) => {
    passed += bytes;
    if (passed > allowed)
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
): Promise<Unpacked> {
  if (name !== manifestName)
    throw new BundleRefused(
      `The archive is refused: it starts with ${shown(name)}, not with ${manifestName}. Create it with "offprint export --archive".`,
    );
  if (size > limits.maxManifestBytes)
    throw new BundleRefused(`The archive is refused: ${manifestName} is larger than ${limits.maxManifestBytes} bytes.`);
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const manifest = readManifest(bytes.toString("utf8"), limits);
  writeFileSync(join(folder, manifestName), bytes, { flag: "wx" });
  return { manifest, bundleId: createHash("sha256").update(bytes).digest("hex") };
}

async function takeFile(
  file: BundleFile,
  { size, content }: ArchiveEntry,
  folder: string,
  signal?: AbortSignal,
): Promise<void> {
  if (size !== file.bytes) throw differs(file.path);
  const path = join(folder, file.path);
  mkdirSync(dirname(path), { recursive: true });
  const hash = createHash("sha256");
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(content, measure, createWriteStream(path, { flags: "wx" }), signal ? { signal } : {});
  if (hash.digest("hex") !== file.sha256) throw differs(file.path);
}

const differs = (path: string): BundleRefused =>
  new BundleRefused(`The archive is refused: ${shown(path)} is not the file that the manifest lists.`);

const unwanted = (name: string, { files }: Manifest): BundleRefused =>
  new BundleRefused(
    files.some(({ path }) => path === name)
      ? `The archive is refused: it contains ${shown(name)} twice.`
      : `The archive is refused: it contains ${shown(name)}, which its manifest does not list.`,
  );

/** Keeps errors of the system; all others are faults of the archive. */
function faultOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof BundleRefused || (code !== undefined && /^E[A-Z]+$/.test(code))) return error;
  return new BundleRefused(`The archive is refused: it is not a complete .tar.gz or .zip (${message}).`, {
    cause: error,
  });
}
