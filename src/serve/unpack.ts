import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type BundleFile, type Manifest, manifestName } from "../bundle/archive/index.js";
import { type BundleLimits, readManifest } from "./read-manifest.js";
import { BundleRefused, shown } from "./refusal.js";

/** What is left beside content: heads of entries, padding, and what streams hold back. */
const slackBytes = 8 * 1024 * 1024;

export interface Unpacked {
  readonly manifest: Manifest;
  /** SHA-256 of `offprint.json`, lower-case hex: the name of the bundle, since the manifest names all else. */
  readonly bundleId: string;
}

/**
 * Unpacks the `.tar.gz` of a bundle into `folder`, which is empty, and verifies it on the way: the manifest must come
 * first, then each file that it lists, once, with its size and its SHA-256, and nothing else. Since nothing is written but
 * plain files of such paths, nothing can leave the folder.
 *
 * Fails: what was written stays, to be removed with the folder.
 * Stops: once `signal` aborts, rejects with its reason.
 *
 * @throws {BundleRefused} if the archive holds anything else, or more than `limits` allow.
 */
export async function unpack(
  archive: string,
  folder: string,
  limits: BundleLimits,
  signal?: AbortSignal,
): Promise<Unpacked> {
  const { extract } = (await import("tar-stream")).default;
  const budget = createBudget(statSync(archive).size, limits);
  const entries = extract();
  const reading = pipeline(
    [createReadStream(archive), createGunzip(), budget.meter, entries],
    signal ? { signal } : {},
  ).catch((error: Error) => entries.destroy(error));
  let unpacked: Unpacked | undefined;
  const missing = new Map<string, BundleFile>();
  try {
    for await (const entry of entries) {
      const { name, type, size = 0 } = entry.header;
      if (type !== "file")
        throw new BundleRefused(`The archive is refused: ${shown(name)} is a ${type}, and only plain files are taken.`);
      if (unpacked === undefined) {
        unpacked = await takeManifest(name, size, Readable.from(entry), folder, limits);
        for (const file of unpacked.manifest.files) missing.set(file.path, file);
        budget.allow(unpacked.manifest.files);
        continue;
      }
      const file = missing.get(name);
      if (file === undefined) throw unwanted(name, unpacked.manifest);
      missing.delete(name);
      await takeFile(file, size, Readable.from(entry), folder);
    }
    await reading;
  } catch (error) {
    entries.destroy();
    await reading;
    throw faultOf(error, signal);
  }
  const [left] = missing.keys();
  if (unpacked === undefined) throw new BundleRefused("The archive is refused: it is empty.");
  if (left !== undefined) throw new BundleRefused(`The archive is refused: ${shown(left)} of its manifest is missing.`);
  return unpacked;
}

/** Counts what comes out of the compression, and stops it where that is more than a bundle of this size could be. */
function createBudget(archiveBytes: number, { maxBytes, maxManifestBytes, maxRatio }: BundleLimits) {
  const byRatio = Math.max(slackBytes, archiveBytes * maxRatio);
  let allowed = Math.min(byRatio, maxManifestBytes + slackBytes);
  let passed = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      if (passed <= allowed) done(null, chunk);
      else done(new BundleRefused("The archive is refused: it unpacks to more than its manifest or its size allow."));
    },
  });
  const allow = (files: readonly BundleFile[]): void => {
    // An entry has a head, the head of a long name, and is filled up to a whole block.
    const content = files.reduce((sum, file) => sum + file.bytes + 4096, 0);
    allowed = Math.min(byRatio, maxBytes, maxManifestBytes + content) + slackBytes;
  };
  return { meter, allow };
}

async function takeManifest(
  name: string,
  size: number,
  content: Readable,
  folder: string,
  limits: BundleLimits,
): Promise<Unpacked> {
  if (name !== manifestName)
    throw new BundleRefused(
      `The archive is refused: it begins with ${shown(name)}, not with ${manifestName}. Make it with "offprint export --archive".`,
    );
  if (size > limits.maxManifestBytes)
    throw new BundleRefused(`The archive is refused: ${manifestName} is larger than ${limits.maxManifestBytes} bytes.`);
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const manifest = readManifest(bytes.toString("utf8"), limits);
  writeFileSync(join(folder, manifestName), bytes, { flag: "wx" });
  return { manifest, bundleId: createHash("sha256").update(bytes).digest("hex") };
}

async function takeFile(file: BundleFile, size: number, content: Readable, folder: string): Promise<void> {
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
  await pipeline(content, measure, createWriteStream(path, { flags: "wx" }));
  if (hash.digest("hex") !== file.sha256) throw differs(file.path);
}

const differs = (path: string): BundleRefused =>
  new BundleRefused(`The archive is refused: ${shown(path)} is not the file that the manifest lists.`);

const unwanted = (name: string, { files }: Manifest): BundleRefused =>
  new BundleRefused(
    files.some(({ path }) => path === name)
      ? `The archive is refused: it holds ${shown(name)} twice.`
      : `The archive is refused: it holds ${shown(name)}, which its manifest does not list.`,
  );

/** What broke: the archive's fault and the machine's are told apart. */
function faultOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof BundleRefused || (code !== undefined && /^E[A-Z]+$/.test(code))) return error;
  return new BundleRefused(`The archive is refused: it is no whole .tar.gz (${message}).`, { cause: error });
}
