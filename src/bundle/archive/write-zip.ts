import { createReadStream, createWriteStream, readFileSync, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { crc32, createDeflateRaw, deflateRawSync } from "node:zlib";
import { deflateLevel, type FileToPack, type Piece, type PieceCache } from "./archive-pieces.js";

/** Formats that deflate cannot make smaller. */
const packed = /\.(?:7z|avif|gif|gz|jpe?g|m4a|mov|mp[34]|og[gv]|png|rar|web[mp]|woff2?|zip|zst)$/i;

/** Larger files are read in parts. */
const maxWholeBytes = 16 * 1024 * 1024;

/** After this many bytes, other tasks get a turn, since deflating blocks the thread. */
const turnBytes = 1024 * 1024;

/** Packs files, in this order, as a `.zip` with fixed times and modes. `scratch` is a path for a temporary file. */
export async function* zipChunks(
  files: readonly FileToPack[],
  pieces: PieceCache | undefined,
  scratch: string,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const members: PlacedMember[] = [];
  let offset = 0;
  let sinceTurn = 0;
  const begin = (member: ZipMember): Buffer => {
    const header = localHeader(member);
    members.push({ ...member, offset });
    offset += header.length;
    return header;
  };
  for (const file of files) {
    signal?.throwIfAborted();
    const { path, size, sha256 } = file;
    if (size > maxWholeBytes) {
      const { member, data } = await packLarge(file, scratch, signal);
      yield begin(member);
      yield* createReadStream(data);
      offset += member.packedSize;
      continue;
    }
    const isPacked = packed.test(path);
    const key = sha256 === undefined ? undefined : `${sha256}${isPacked ? " stored" : ""}`;
    const piece = (key !== undefined && pieces?.find(key)) || packWhole(readFileSync(file.source), isPacked);
    const { data } = piece;
    yield begin({ path, crc32: piece.crc32, size: piece.size, packedSize: data.length, isDeflated: piece.isDeflated });
    if (key !== undefined) pieces?.note(key, piece, offset);
    yield data;
    offset += data.length;
    sinceTurn += size;
    if (sinceTurn < turnBytes) continue;
    sinceTurn = 0;
    await setImmediate();
  }
  yield zipDirectory(members, offset);
}

function packWhole(content: Uint8Array, isPacked: boolean): Piece {
  const deflated = isPacked ? undefined : deflateRawSync(content, { level: deflateLevel });
  const isDeflated = deflated !== undefined && deflated.length < content.length;
  return { size: content.length, crc32: crc32(content), isDeflated, data: isDeflated ? deflated : content };
}

/** A member, and the file that contains its data. */
interface PackedFile {
  readonly member: ZipMember;
  readonly data: string;
}

async function packLarge({ path, source }: FileToPack, scratch: string, signal?: AbortSignal): Promise<PackedFile> {
  const isDeflated = !packed.test(path);
  let crc = 0;
  let size = 0;
  const count = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      crc = crc32(chunk, crc);
      size += chunk.length;
      yield chunk;
    }
  };
  const data = isDeflated ? scratch : source;
  const options = signal ? { signal } : {};
  if (isDeflated)
    await pipeline(
      createReadStream(source),
      count,
      createDeflateRaw({ level: deflateLevel }),
      createWriteStream(scratch),
      options,
    );
  else for await (const _ of count(createReadStream(source, options)));
  const packedSize = isDeflated ? statSync(scratch).size : size;
  return { member: { path, crc32: crc, size, packedSize, isDeflated }, data };
}

/** A file in a `.zip`. Sizes are in bytes. */
export interface ZipMember {
  readonly path: string;
  readonly crc32: number;
  readonly size: number;
  /** Size of the data: the file itself, or its raw deflate stream. */
  readonly packedSize: number;
  readonly isDeflated: boolean;
}

type PlacedMember = ZipMember & { readonly offset: number };

/** The largest 32-bit number. A field with this value refers to the Zip64 extra field. */
const limit32 = 0xffffffff;
const limit16 = 0xffff;

/** 1 January 1980, 00:00. */
const dosDate = 0x21;

/** Names are UTF-8. */
const utf8 = 0x0800;

/** A regular file with the mode 644. */
const attributes = (0o100644 << 16) >>> 0;

/** The header before a member's data: section 4.3.7 of the .ZIP File Format Specification. */
export function localHeader(member: ZipMember): Buffer {
  const isLarge = member.size >= limit32 || member.packedSize >= limit32;
  const extra = isLarge ? zip64Extra([member.size, member.packedSize]) : Buffer.alloc(0);
  const name = Buffer.from(member.path);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeShared(header, 4, member, isLarge, name, extra);
  return Buffer.concat([header, name, extra]);
}

/** Everything after the last member: the directory, and the records that refer to it (sections 4.3.12 to 4.3.16). */
export function zipDirectory(members: readonly PlacedMember[], start: number): Buffer {
  const entries = members.map(directoryEntry);
  const size = entries.reduce((sum, entry) => sum + entry.length, 0);
  const count = members.length;
  const isLarge = count >= limit16 || size >= limit32 || start >= limit32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, limit16), 8);
  end.writeUInt16LE(Math.min(count, limit16), 10);
  end.writeUInt32LE(Math.min(size, limit32), 12);
  end.writeUInt32LE(Math.min(start, limit32), 16);
  return Buffer.concat([...entries, ...(isLarge ? [zip64End(count, size, start)] : []), end]);
}

function directoryEntry(member: PlacedMember): Buffer {
  const large = [member.size, member.packedSize, member.offset].filter((number) => number >= limit32);
  const extra = large.length > 0 ? zip64Extra(large) : Buffer.alloc(0);
  const name = Buffer.from(member.path);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  // Created on Unix, so the attributes contain a mode.
  header.writeUInt16LE((3 << 8) | 63, 4);
  writeShared(header, 6, member, large.length > 0, name, extra);
  header.writeUInt32LE(attributes, 38);
  header.writeUInt32LE(Math.min(member.offset, limit32), 42);
  return Buffer.concat([header, name, extra]);
}

/** Writes the fields that local headers and directory entries have in common. */
function writeShared(
  header: Buffer,
  at: number,
  { crc32, size, packedSize, isDeflated }: ZipMember,
  isLarge: boolean,
  name: Buffer,
  extra: Buffer,
): void {
  header.writeUInt16LE(isLarge ? 45 : 20, at);
  header.writeUInt16LE(utf8, at + 2);
  header.writeUInt16LE(isDeflated ? 8 : 0, at + 4);
  header.writeUInt16LE(dosDate, at + 8);
  header.writeUInt32LE(crc32, at + 10);
  // The extra field of a local header has both sizes or neither.
  const isInExtra = isLarge && at === 4;
  header.writeUInt32LE(isInExtra ? limit32 : Math.min(packedSize, limit32), at + 14);
  header.writeUInt32LE(isInExtra ? limit32 : Math.min(size, limit32), at + 18);
  header.writeUInt16LE(name.length, at + 22);
  header.writeUInt16LE(extra.length, at + 24);
}

function zip64Extra(numbers: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * numbers.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * numbers.length, 2);
  for (const [index, number] of numbers.entries()) extra.writeBigUInt64LE(BigInt(number), 4 + 8 * index);
  return extra;
}

/** The Zip64 end of the directory, and the record that refers to it. */
function zip64End(count: number, size: number, start: number): Buffer {
  const end = Buffer.alloc(76);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE((3 << 8) | 63, 12);
  end.writeUInt16LE(45, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(start + size), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
