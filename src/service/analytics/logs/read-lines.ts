import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { constants, createGunzip } from "node:zlib";

/** Longer lines are dropped, and count as unreadable. */
const maxLineBytes = 64 * 1024;

export interface LineBatch {
  readonly lines: readonly string[];
  /** Unpacked bytes of the file up to the end of the last line. */
  readonly end: number;
}

/** A file is packed if it begins as gzip does, whatever its name is. */
export async function isGzip(path: string): Promise<boolean> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file?.close();
  }
}

/**
 * Reads a file by lines, from a byte of its unpacked content on. A last line without an end is left out, since more of
 * it may be written; a gzip file that ends early is read as far as it goes. Memory does not grow with the file.
 *
 * @param range from the beginning of a line to the end of another one, in bytes; without `to` up to the end of the file.
 * @throws {Error} if the file cannot be read, or is damaged gzip.
 */
export async function* readLines(
  path: string,
  { from, to = Number.POSITIVE_INFINITY }: { readonly from: number; readonly to?: number | undefined },
  signal?: AbortSignal,
): AsyncGenerator<LineBatch> {
  let at = from;
  let rest: Buffer = Buffer.alloc(0);
  let isDropping = false;
  for await (const content of contentOf(path, from, signal)) {
    const chunk = content.subarray(0, to - at - rest.length);
    if (chunk.length === 0) return;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(10) + 1;
    rest = bytes.subarray(end);
    const lines = end === 0 ? [] : bytes.toString("utf8", 0, end - 1).split("\n");
    at += end;
    if (isDropping && lines.length > 0) {
      lines[0] = "\0";
      isDropping = false;
    }
    if (rest.length > maxLineBytes) {
      at += rest.length;
      rest = Buffer.alloc(0);
      isDropping = true;
    }
    if (lines.length > 0) yield { lines: lines.map(trimmed), end: at };
  }
}

const trimmed = (line: string): string =>
  line.length > maxLineBytes ? "\0" : line.endsWith("\r") ? line.slice(0, -1) : line;

async function* contentOf(path: string, from: number, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  if (!(await isGzip(path))) {
    yield* createReadStream(path, { start: from, highWaterMark: 256 * 1024, signal });
    return;
  }
  const file = createReadStream(path, { signal });
  // Without this flush, the end of a file that is cut would be an error that takes its last lines with it.
  const unpacked = createGunzip({ chunkSize: 256 * 1024, finishFlush: constants.Z_SYNC_FLUSH });
  file.once("error", (error) => unpacked.destroy(error));
  let skip = from;
  try {
    for await (const chunk of file.pipe(unpacked) as AsyncIterable<Buffer>) {
      const unread = chunk.subarray(Math.min(skip, chunk.length));
      skip -= chunk.length - unread.length;
      if (unread.length > 0) yield unread;
    }
  } finally {
    file.destroy();
    unpacked.destroy();
  }
}
