import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import PQueue from "p-queue";
import { type Diagnostic, warningOf } from "../../lib/diagnostic/index.js";
import { waitForFilesAsync } from "../../lib/wait-for-files.js";
import type { SiteFiles } from "../../site/source/index.js";
import type { BundleFile } from "../archive/index.js";
import { decodeSvg, locationOfRemoved, sanitizeSvg, svgCleaned } from "./svg.js";

export interface CopiedFiles {
  /** In the order of the given paths. */
  readonly files: readonly BundleFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Files up to this size are read at once, larger ones streamed. */
const maxWholeBytes = 1024 * 1024;
const copiesAtOnce = 8;
/** An SVG is read as a whole to be sanitized; a larger file is not a drawing. */
const maxSvgBytes = 32 * 1024 * 1024;

/**
 * Copies the site's images, specs and downloads to the same paths in the bundle. Each is read once and hashed during the
 * copy. SVG files are sanitized, with a warning that lists the removed parts.
 *
 * @param staging absolute folder of the bundle; without it nothing is written, and files have no hash
 * @throws {Error} with the name of a file that cannot be read or written; the reason of `signal` if it aborts.
 */
export async function copyStaticFiles(
  paths: readonly string[],
  files: SiteFiles,
  staging: string | undefined,
  signal?: AbortSignal,
): Promise<CopiedFiles> {
  const queue = new PQueue({ concurrency: copiesAtOnce });
  const copying = queue.addAll(
    paths.map((sourcePath) => async () => {
      signal?.throwIfAborted();
      const to = staging === undefined ? undefined : join(staging, sourcePath);
      return waitForFilesAsync(() => copyOne(sourcePath, files.absolutePath(sourcePath), to, signal));
    }),
  );
  const copied = await copying.catch(async (error: unknown) => {
    // The caller removes the staging folder: no copy may write into it after that.
    queue.clear();
    await queue.onIdle();
    throw error;
  });
  return {
    files: copied.flatMap(({ file }) => file ?? []),
    diagnostics: copied.flatMap(({ diagnostic }) => diagnostic ?? []),
  };
}

interface Copied {
  readonly file?: BundleFile;
  readonly diagnostic?: Diagnostic;
}

async function copyOne(
  path: string,
  from: string,
  to: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Copied> {
  const { size } = await stat(from);
  const isSvg = /\.svgz?$/i.test(path);
  if (isSvg && (size > maxSvgBytes || /z$/i.test(path))) return { diagnostic: refused(path) };
  if (to === undefined && !isSvg) return { file: { path, bytes: size, sha256: "" } };
  if (to !== undefined) await mkdir(dirname(to), { recursive: true });
  if (!isSvg && to !== undefined && size > maxWholeBytes) return { file: await stream(path, from, to, signal) };
  const bytes = await readFile(from);
  if (!isSvg) return { file: await write(path, to, bytes) };
  const { text, isUtf8 } = decodeSvg(bytes);
  const safe = sanitizeSvg(text);
  if (safe.text === text && isUtf8) return { file: await write(path, to, bytes) };
  const file = await write(path, to, Buffer.from(safe.text));
  return safe.removed.length > 0
    ? { file, diagnostic: svgCleaned(locationOfRemoved(path, text, safe.removed), safe.removed) }
    : { file };
}

async function write(path: string, to: string | undefined, bytes: Uint8Array): Promise<BundleFile> {
  if (to === undefined) return { path, bytes: bytes.length, sha256: "" };
  await writeFile(to, bytes);
  return { path, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

async function stream(path: string, from: string, to: string, signal: AbortSignal | undefined): Promise<BundleFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(createReadStream(from), meter, createWriteStream(to), { signal });
  return { path, bytes, sha256: hash.digest("hex") };
}

const refused = (sourcePath: string): Diagnostic => ({
  ...warningOf("SVG_REFUSED"),
  what: "This SVG is compressed or larger than 32 MB, so it cannot be sanitized and is left out.",
  location: { sourcePath },
  fix: "save it as uncompressed SVG, or as PNG or WebP.",
});
