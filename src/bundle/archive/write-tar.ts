import { hash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { constants, crc32, deflateRawSync } from "node:zlib";
import { waitForFiles } from "../../lib/wait-for-files.js";
import type { KeptPieces, Piece } from "./archive-pieces.js";
import { deflateLevel } from "./deflate-level.js";
import type { FileToPack } from "./file-to-pack.js";
import { joinCrc } from "./join-crc.js";
import { paddingOf, tarEnd, tarHeader } from "./tar-format.js";

/**
 * The files with which a chunk ends are chosen by their paths and sizes alone, on average one in so many bytes. So a file
 * that is new, gone or changed leaves the chunks before and after its own as they are. A larger one has its own chunks.
 */
const usualChunk = 512 * 1024;
/** The longest part of a file in a chunk. */
const longestPart = 4 * 1024 * 1024;

/** A part of a file. The first one comes after the file's header, the last one is padded. */
interface Part {
  readonly file: FileToPack;
  readonly from: number;
  readonly to: number;
}

/**
 * The bytes of a `.tar.gz` of these files, in this order, with fixed times, owners and modes. It is one gzip member whose
 * deflate stream is made in chunks: a full flush after each makes it independent of the ones before.
 */
export async function* tarGzipChunks(
  files: readonly FileToPack[],
  kept: KeptPieces | undefined,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let offset = gzipHeader.length;
  let crc = 0;
  let size = 0;
  yield gzipHeader;
  for (const chunk of chunksOf(files)) {
    await setImmediate();
    signal?.throwIfAborted();
    const key = keyOf(chunk);
    const found = key === undefined ? undefined : kept?.find(key);
    const piece = found ?? deflated(contentOf(chunk));
    if (key !== undefined) kept?.note(key, piece, offset);
    crc = joinCrc(crc, piece.crc32, piece.size);
    size += piece.size;
    offset += piece.data.length;
    yield piece.data;
  }
  crc = joinCrc(crc, crc32(tarEnd), tarEnd.length);
  size += tarEnd.length;
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc, 0);
  end.writeUInt32LE(size % 2 ** 32, 4);
  yield Buffer.concat([deflateRawSync(tarEnd), end]);
}

/** No name, no time, and an unknown operating system. */
const gzipHeader = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

function* chunksOf(files: readonly FileToPack[]): Iterable<Part[]> {
  let chunk: Part[] = [];
  let bytes = 0;
  for (const file of files) {
    if (file.size >= usualChunk && chunk.length > 0) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    for (let from = 0; from === 0 || from < file.size; from += longestPart) {
      if (bytes >= longestPart) {
        yield chunk;
        chunk = [];
        bytes = 0;
      }
      const to = Math.min(file.size, from + longestPart);
      chunk.push({ file, from, to });
      bytes += to - from;
    }
    // The first one is the manifest, which every change changes.
    if (file !== files[0] && !endsChunk(file)) continue;
    yield chunk;
    chunk = [];
    bytes = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** The larger a file, the more often it ends a chunk. */
const endsChunk = ({ path, size }: FileToPack): boolean => (crc32(path) / 2 ** 32) * usualChunk < size;

/** Names the content of a chunk; undefined if that of a file is not known. */
function keyOf(chunk: readonly Part[]): string | undefined {
  if (chunk.some(({ file }) => file.sha256 === undefined)) return undefined;
  const content = chunk.map(({ file: { path, size, sha256 }, from, to }) => [path, size, sha256, from, to]);
  return hash("sha256", JSON.stringify(content), "hex");
}

function contentOf(chunk: readonly Part[]): Buffer {
  return Buffer.concat(
    chunk.flatMap(({ file, from, to }) => [
      ...(from === 0 ? [tarHeader(file.path, file.size)] : []),
      readPart(file, from, to),
      ...(to === file.size ? [Buffer.alloc(paddingOf(file.size))] : []),
    ]),
  );
}

function readPart({ source }: FileToPack, from: number, to: number): Buffer {
  const part = Buffer.allocUnsafe(to - from);
  const file = waitForFiles(() => openSync(source, "r"));
  try {
    for (let at = 0; at < part.length; ) {
      const bytes = readSync(file, part, at, part.length - at, from + at);
      if (bytes === 0) throw new Error(`${source} became shorter while it was packed.`);
      at += bytes;
    }
  } finally {
    closeSync(file);
  }
  return part;
}

const deflated = (content: Uint8Array): Piece => ({
  size: content.length,
  crc32: crc32(content),
  isDeflated: true,
  data: deflateRawSync(content, { level: deflateLevel, finishFlush: constants.Z_FULL_FLUSH }),
});
