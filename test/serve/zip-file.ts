/** Zip archives field by field, as no packer writes them. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  /** The fields of its headers that differ from those of the content. */
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  readonly packed?: Buffer;
  readonly packedSize?: number;
  readonly size?: number;
  readonly mode?: number;
  /** Of its local header, in the directory. */
  readonly offset?: number;
  /** Extra field of the directory. */
  readonly extra?: Buffer;
}

/** Fields in little-endian order: a number and its bytes, or bytes. */
function record(...fields: readonly (readonly [value: number | bigint, bytes: 2 | 4 | 8] | Buffer)[]): Buffer {
  return Buffer.concat(
    fields.map((field) => {
      if (Buffer.isBuffer(field)) return field;
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt(field[0]));
      return bytes.subarray(0, field[1]);
    }),
  );
}

/** @param end fields of the last record, where they differ. */
export function zipFile(
  entries: readonly ZipEntry[],
  end: { readonly disk?: number; readonly start?: number; readonly before?: Buffer } = {},
): Buffer {
  let at = 0;
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content ?? "");
    const { method = 8, flags = 0x800, extra = Buffer.alloc(0) } = entry;
    const packed = entry.packed ?? (method === 8 ? deflateRawSync(content) : content);
    const fields = record(
      [20, 2],
      [flags, 2],
      [method, 2],
      [0x21_0000, 4], // 1980-01-01
      [entry.crc ?? crc32(content), 4],
      [entry.packedSize ?? packed.length, 4],
      [entry.size ?? content.length, 4],
      [name.length, 2],
    );
    const local = record([0x04034b50, 4], fields, [0, 2], name, packed);
    directory.push(
      record([0x02014b50, 4], [0x0314, 2], fields, [extra.length, 2], [0, 2], [0, 2], [0, 2]),
      record([(entry.mode ?? 0o100644) * 0x10000, 4], [entry.offset ?? at, 4], name, extra),
    );
    files.push(local);
    at += local.length;
  }
  const size = Buffer.concat(directory).length;
  const { disk = 0, start = at, before = Buffer.alloc(0) } = end;
  const count = entries.length;
  const last = record([0x06054b50, 4], [disk, 2], [0, 2], [count, 2], [count, 2], [size, 4], [start, 4], [0, 2]);
  return Buffer.concat([...files, ...directory, before, last]);
}

/** The record that gives a field of 0xffffffff its value. */
export const zip64Extra = (...values: readonly bigint[]): Buffer =>
  record([1, 2], [values.length * 8, 2], ...values.map((value) => [value, 8] as const));

/** The record before the last one, which leads to a larger form of the last one. */
export const zip64Locator = (offset: bigint): Buffer => record([0x07064b50, 4], [0, 4], [offset, 8], [1, 4]);
