import { hash } from "node:crypto";
import { type BigIntStats, closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { crc32 } from "node:zlib";
import { attempt } from "../../lib/attempt.js";
import type { Cache } from "../../lib/cache/index.js";
import { buildId } from "../../lib/package-root.js";

/** A part of an archive that does not depend on the rest: the data of a file in a `.zip`, a chunk of a `.tar.gz`. */
export interface Piece {
  /** Of the unpacked data, in bytes. */
  readonly size: number;
  readonly crc32: number;
  readonly isDeflated: boolean;
  /** The packed data. Valid until the next piece is requested. */
  readonly data: Uint8Array;
  /** CRC-32 of `data`, if it is known. */
  readonly packedCrc?: number;
}

/** Pieces of the archive that an earlier export wrote to the same path. */
export interface PieceCache {
  /** @param key identifies the content. */
  find(key: string): Piece | undefined;
  /** Records the offset of a piece in the new archive. */
  note(key: string, piece: Piece, offset: number): void;
  /** Saves the records. Call it when the new archive is at its path. */
  save(): void;
  close(): void;
}

/** The cache entry of an archive. */
interface ArchiveRecord {
  /** See `stateOf`. */
  readonly state: string;
  readonly pieces: readonly PieceRecord[];
}
type PieceRecord = readonly [
  key: string,
  offset: number,
  length: number,
  /** CRC-32 of the packed bytes. */
  packedCrc: number,
  size: number,
  crc: number,
  isDeflated: 0 | 1,
];

/** So many bytes of the archive are read at once, since most pieces are adjacent. */
const windowBytes = 1024 * 1024;

/**
 * Finds pieces in the archive at `path` if it is unchanged since an earlier run of this program wrote it. The cache has the
 * offset and checksum of each piece, since the directory of an archive cannot be trusted. Damaged pieces are not found.
 */
export function openPieceCache(path: string, cache: Cache): PieceCache {
  const key = hash("sha256", JSON.stringify(["archive", buildId(), process.versions.zlib, process.arch, path]), "hex");
  const previous = openPrevious(path, cache.get(key));
  const pieces: PieceRecord[] = [];
  return {
    find: (name) => previous?.find(name),
    note(name, { data, packedCrc = crc32(data), size, crc32: crc, isDeflated }, offset) {
      pieces.push([name, offset, data.length, packedCrc, size, crc, isDeflated ? 1 : 0]);
    },
    save() {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined) return;
      const state = stateOf(stats);
      cache.put(key, Buffer.from(JSON.stringify({ state, pieces } satisfies ArchiveRecord)));
    },
    close: () => previous?.close(),
  };
}

function openPrevious(path: string, stored: Uint8Array | undefined) {
  if (stored === undefined) return undefined;
  const record = JSON.parse(Buffer.from(stored).toString()) as ArchiveRecord;
  // Something else may be there now, and opening a pipe would wait for its writer.
  const isSame = attempt(() => stateOf(statSync(path, { bigint: true }))) === record.state;
  const file = isSame ? attempt(() => openSync(path, "r")) : undefined;
  if (file === undefined) return undefined;
  const stats = fstatSync(file, { bigint: true });
  if (stateOf(stats) !== record.state) {
    closeSync(file);
    return undefined;
  }
  const byKey = new Map(record.pieces.map((piece) => [piece[0], piece]));
  const read = createWindow(file, Number(stats.size));
  return {
    find(key: string): Piece | undefined {
      const entry = byKey.get(key);
      if (entry === undefined) return undefined;
      const [, offset, length, packedCrc, size, crc, isDeflated] = entry;
      const data = read(offset, length);
      if (data === undefined || crc32(data) !== packedCrc) return undefined;
      return { data, packedCrc, size, crc32: crc, isDeflated: isDeflated === 1 };
    },
    close: () => closeSync(file),
  };
}

const stateOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;

/** Creates a function that reads a range of a file; undefined beyond its end. */
function createWindow(file: number, size: number): (offset: number, length: number) => Uint8Array | undefined {
  let buffer = Buffer.alloc(0);
  let from = 0;
  let to = 0;
  return (offset, length) => {
    if (!(offset >= 0 && length >= 0 && offset + length <= size)) return undefined;
    if (offset < from || offset + length > to) {
      const windowLength = Math.min(Math.max(length, windowBytes), size - offset);
      if (buffer.length < windowLength) buffer = Buffer.allocUnsafeSlow(windowLength);
      from = offset;
      to = offset;
      while (to < offset + windowLength) {
        const bytes = readSync(file, buffer, to - from, offset + windowLength - to, to);
        if (bytes === 0) break;
        to += bytes;
      }
      if (to < offset + length) return undefined;
    }
    return buffer.subarray(offset - from, offset - from + length);
  };
}

/** A file to be added to an archive. */
export interface FileToPack {
  /** In the archive. */
  readonly path: string;
  /** Absolute path of its content. */
  readonly source: string;
  /** In bytes. */
  readonly size: number;
  /** Of the content, if known. */
  readonly sha256?: string;
}

/** Compression level of zlib. Compared with the default, 6, it saves 40 % of the time and makes archives 3 % larger. */
export const deflateLevel = 4;
