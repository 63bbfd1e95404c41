import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";

/**
 * The object from which API processes load the index of a site. It has the site's facts as JSON, then the scripts of the
 * search and the Markdown of the pages, each compressed by itself, so that a page is unpacked only when it is read.
 *
 * Each record: the length of its path (2 bytes), of its packed and of its unpacked content (4 bytes each), path, content.
 * The path of the facts is empty.
 */
export interface IndexRecord {
  readonly path: string;
  readonly packed: Buffer;
  readonly bytes: number;
}

export const indexLimits = {
  /** Pages, and files of the search. */
  maxFiles: 200_000,
  /** A page that is larger has no Markdown here; a larger file of the search refuses the index. */
  maxFileBytes: 8 * 1024 ** 2,
  /** Unpacked bytes of all files of the search. */
  maxSearchBytes: 256 * 1024 ** 2,
  /** Of the object. */
  maxBytes: 256 * 1024 ** 2,
} as const;

const headBytes = 10;
const packed = promisify(deflateRaw);

export async function packRecord(path: string, content: Uint8Array): Promise<Buffer> {
  const name = Buffer.from(path);
  const body = await packed(content);
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt16LE(name.length, 0);
  head.writeUInt32LE(body.length, 2);
  head.writeUInt32LE(content.length, 6);
  return Buffer.concat([head, name, body]);
}

/**
 * The records of an object. Their contents share its memory.
 *
 * @throws {Error} if the object is damaged or exceeds the limits.
 */
export function* readRecords(object: Buffer): Generator<IndexRecord> {
  let count = 0;
  for (let at = 0; at < object.length; ) {
    if (++count > indexLimits.maxFiles) throw new Error("The index has too many files.");
    if (at + headBytes > object.length) throw new Error("The index is cut off.");
    const nameAt = at + headBytes;
    const bodyAt = nameAt + object.readUInt16LE(at);
    const end = bodyAt + object.readUInt32LE(at + 2);
    const bytes = object.readUInt32LE(at + 6);
    if (end > object.length) throw new Error("The index is cut off.");
    if (bytes > indexLimits.maxFileBytes) throw new Error("The index has a file that is too large.");
    yield { path: object.toString("utf8", nameAt, bodyAt), packed: object.subarray(bodyAt, end), bytes };
    at = end;
  }
}
