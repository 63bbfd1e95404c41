/** A file as it is in a `.zip`. Sizes in bytes. */
export interface ZipMember {
  readonly path: string;
  readonly crc32: number;
  readonly size: number;
  /** Of the member's data, which are the file itself or its raw deflate stream. */
  readonly packedSize: number;
  readonly isDeflated: boolean;
}

/** Where a member begins. */
type Placed = ZipMember & { readonly offset: number };

/** The largest number of a field of 32 bits; a field with this value has its number in the Zip64 extra field. */
const limit32 = 0xffffffff;
const limit16 = 0xffff;
/** 1 January 1980, 00:00. */
const dosDate = 0x21;
/** Names are UTF-8. */
const utf8 = 0x0800;
/** A regular file with the mode 644. */
const attributes = (0o100644 << 16) >>> 0;

/** The header before a member's data, as in section 4.3.7 of the .ZIP File Format Specification. */
export function localHeader(member: ZipMember): Buffer {
  const isLarge = member.size >= limit32 || member.packedSize >= limit32;
  const extra = isLarge ? zip64Extra([member.size, member.packedSize]) : Buffer.alloc(0);
  const name = Buffer.from(member.path);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeShared(header, 4, member, isLarge, name, extra);
  return Buffer.concat([header, name, extra]);
}

/** What follows the last member: the directory, and the records that lead to it (sections 4.3.12 to 4.3.16). */
export function zipDirectory(members: readonly Placed[], start: number): Buffer {
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

function directoryEntry(member: Placed): Buffer {
  const large = [member.size, member.packedSize, member.offset].filter((number) => number >= limit32);
  const extra = large.length > 0 ? zip64Extra(large) : Buffer.alloc(0);
  const name = Buffer.from(member.path);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  // Made on Unix, so that the attributes are a mode.
  header.writeUInt16LE((3 << 8) | 63, 4);
  writeShared(header, 6, member, large.length > 0, name, extra);
  header.writeUInt32LE(attributes, 38);
  header.writeUInt32LE(Math.min(member.offset, limit32), 42);
  return Buffer.concat([header, name, extra]);
}

/** The fields that a local header and an entry of the directory share. */
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
  // A local header has both sizes in the extra field or none.
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

/** The end of the directory with numbers of 64 bits, and the record that leads to it. */
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
