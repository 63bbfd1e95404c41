import { hash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { crc32, deflateRawSync } from "node:zlib";
import { waitForFiles } from "../../lib/wait-for-files.js";
import { deflateLevel, type FileToPack, type Piece, type PieceCache } from "./archive-pieces.js";

/**
 * Average size of a chunk, in bytes. Whether a chunk ends with a file depends only on the path and size of the file, so an
 * added, removed or changed file affects no other chunk. A larger file has chunks of its own.
 */
const meanChunkBytes = 512 * 1024;

/** Maximum size of a part of a file, in bytes. */
const maxPartBytes = 4 * 1024 * 1024;

/** A part of a file. The first part follows the file's header; the last part is padded. */
interface Part {
  readonly file: FileToPack;
  readonly from: number;
  readonly to: number;
}

/** Packs files as a `.tar.gz` with fixed times, owners and modes, in chunks that do not depend on each other. */
export async function* tarGzipChunks(
  files: readonly FileToPack[],
  pieces: PieceCache | undefined,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let offset = gzipHeader.length;
  let crc = 0;
  let size = 0;
  yield gzipHeader;
  for (const chunk of chunksOf(files)) {
    await setImmediate();
    signal?.throwIfAborted();
    const key = chunkKey(chunk);
    const reused = key === undefined ? undefined : pieces?.find(key);
    const piece = reused ?? deflated(contentOf(chunk));
    if (key !== undefined) pieces?.note(key, piece, offset);
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

/** Without name and time, for an unknown operating system. */
const gzipHeader = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

function* chunksOf(files: readonly FileToPack[]): Iterable<Part[]> {
  let chunk: Part[] = [];
  let bytes = 0;
  for (const file of files) {
    if (file.size >= meanChunkBytes && chunk.length > 0) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    for (let from = 0; from === 0 || from < file.size; from += maxPartBytes) {
      if (bytes >= maxPartBytes) {
        yield chunk;
        chunk = [];
        bytes = 0;
      }
      const to = Math.min(file.size, from + maxPartBytes);
      chunk.push({ file, from, to });
      bytes += to - from;
    }
    // The first file is the manifest, which changes with every other file.
    if (file !== files[0] && !endsChunk(file)) continue;
    yield chunk;
    chunk = [];
    bytes = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** Whether a chunk ends with this file: more likely for larger files. */
const endsChunk = ({ path, size }: FileToPack): boolean => (crc32(path) / 2 ** 32) * meanChunkBytes < size;

/** The cache key of a chunk; undefined if the hash of a file is unknown. */
function chunkKey(chunk: readonly Part[]): string | undefined {
  if (chunk.some(({ file }) => file.sha256 === undefined)) return undefined;
  const content = chunk.map(({ file: { path, size, sha256 }, from, to }) => [path, size, sha256, from, to]);
  return hash("sha256", JSON.stringify(content), "hex");
}

const contentOf = (chunk: readonly Part[]): Buffer =>
  Buffer.concat(
    chunk.flatMap(({ file, from, to }) => [
      ...(from === 0 ? [tarHeader(file.path, file.size)] : []),
      readPart(file, from, to),
      ...(to === file.size ? [Buffer.alloc(paddingOf(file.size))] : []),
    ]),
  );

function readPart({ source }: FileToPack, from: number, to: number): Buffer {
  const part = Buffer.allocUnsafe(to - from);
  const file = waitForFiles(() => openSync(source, "r"));
  try {
    for (let at = 0; at < part.length; ) {
      const bytes = readSync(file, part, at, part.length - at, from + at);
      if (bytes === 0) throw new Error(`${source} became shorter while it was being packed.`);
      at += bytes;
    }
  } finally {
    closeSync(file);
  }
  return part;
}

/** `constants.Z_FULL_FLUSH`: to ask for it, each export would load zlib. */
const fullFlush = 3;

const deflated = (content: Uint8Array): Piece => ({
  size: content.length,
  crc32: crc32(content),
  isDeflated: true,
  data: deflateRawSync(content, { level: deflateLevel, finishFlush: fullFlush }),
});

/** Files are padded with zeros to a multiple of this size. */
const tarBlock = 512;

/** Marks the end of a `.tar`. */
const tarEnd: Uint8Array = new Uint8Array(2 * tarBlock);

/** Number of zeros after a file of this size. */
const paddingOf = (size: number): number => (tarBlock - (size % tarBlock)) % tarBlock;

/** The header of a regular file: POSIX.1-1988 (ustar), preceded by POSIX.1-2001 (pax) records for a long name or size. */
function tarHeader(path: string, size: number): Uint8Array {
  const fits = path.length <= 100 && isAscii.test(path);
  const records = [
    ...(fits ? [] : [paxRecord("path", path)]),
    ...(size > maxOctal ? [paxRecord("size", `${size}`)] : []),
  ];
  if (records.length === 0) return header(path, size, "0");
  const pax = Buffer.concat(records);
  const name = fits ? path : path.replace(/[^ -~]/gu, "_").slice(0, 100);
  return Buffer.concat([
    header("PaxHeader", pax.length, "x"),
    pax,
    Buffer.alloc(paddingOf(pax.length)),
    header(name, Math.min(size, maxOctal), "0"),
  ]);
}

const isAscii = /^[ -~]*$/;

/** The largest number with eleven octal digits. */
const maxOctal = 0o77777777777;

/** A ustar header with fixed time, owner and mode, so that equal files have equal headers. */
function header(name: string, size: number, type: "0" | "x"): Buffer {
  const block = Buffer.alloc(tarBlock);
  block.write(name, 0, "latin1");
  block.write(`0000644\0${"0000000\0".repeat(2)}`, 100, "latin1");
  block.write(`${size.toString(8).padStart(11, "0")}\0${"0".repeat(11)}\0`, 124, "latin1");
  block.write(`        ${type}`, 148, "latin1");
  block.write("ustar\x0000", 257, "latin1");
  block.write("0000000\0".repeat(2), 329, "latin1");
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

/** `<length> <key>=<value>\n`; the length counts its own digits. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`);
  let length = rest.length + 1;
  while (`${length}`.length + rest.length !== length) length = `${length}`.length + rest.length;
  return Buffer.concat([Buffer.from(`${length}`), rest]);
}

/** Combines the CRC-32 of two consecutive texts. @param length of the second text, in bytes. */
export const joinCrc = (first: number, second: number, length: number): number =>
  (multiply(powerOfByte(length), first) ^ second) >>> 0;

/** The polynomial 1. Bits are reversed: the highest bit is the coefficient of x^0. */
const one = 0x80000000;
const polynomial = 0xedb88320;

/** Multiplies two polynomials modulo that of the CRC. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ polynomial : shifted >>> 1;
  }
  return product >>> 0;
}

/** x to the power of eight times `bytes`. */
function powerOfByte(bytes: number): number {
  let power = one;
  // x^8, squared with each step.
  let square = one >>> 8;
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = multiply(square, power);
    square = multiply(square, square);
  }
  return power;
}
