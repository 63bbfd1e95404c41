import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Encoding } from "./accept.js";
import type { ServedFile } from "./served-bundle.js";

/** Files in memory, packed once for each encoding; what was not asked for longest goes first. */
export interface ContentCache {
  /** What is there already, without waiting. */
  peek(file: ServedFile, encoding: Encoding): Buffer | undefined;
  /**
   * Reads and packs a file. However many ask at once, it is done once.
   *
   * @throws {Error} if the file is not there any more, or has changed: the bundle in the folder is being replaced.
   */
  get(file: ServedFile, encoding: Encoding): Promise<Buffer>;
}

/** Larger files are streamed as they are. */
export const largestCachedBytes = 4 * 1024 * 1024;

export function createContentCache(maxBytes: number): ContentCache {
  const kept = new Map<string, Buffer>();
  const coming = new Map<string, Promise<Buffer>>();
  let bytes = 0;
  const keep = (key: string, content: Buffer): void => {
    if (kept.has(key) || content.length > maxBytes) return;
    kept.set(key, content);
    bytes += content.length;
    for (const [oldest, old] of kept) {
      if (bytes <= maxBytes) break;
      kept.delete(oldest);
      bytes -= old.length;
    }
  };
  const peek = (file: ServedFile, encoding: Encoding): Buffer | undefined => {
    const key = keyOf(file, encoding);
    const content = kept.get(key);
    if (content !== undefined) {
      // A map keeps the order of insertion: the one used last goes last.
      kept.delete(key);
      kept.set(key, content);
    }
    return content;
  };
  const get = async (file: ServedFile, encoding: Encoding): Promise<Buffer> => {
    const known = peek(file, encoding);
    if (known !== undefined) return known;
    const key = keyOf(file, encoding);
    const pending = coming.get(key);
    if (pending !== undefined) return await pending;
    const loading = (async () => {
      const content = await readFile(file.place);
      if (content.length !== file.bytes) throw new Error(`"${file.place}" has changed since it was verified`);
      const packed = await pack(content, encoding);
      keep(key, packed);
      return packed;
    })().finally(() => coming.delete(key));
    coming.set(key, loading);
    return await loading;
  };
  return { peek, get };
}

/** By content, so that a new bundle takes over what it has in common with the one before. */
const keyOf = (file: ServedFile, encoding: Encoding): string => `${encoding} ${file.sha256}`;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

async function pack(content: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return await gzipped(content, { level: 7 });
  if (encoding === "identity") return content;
  // Quality 6 of 11: within a tenth of the smallest, in a thirtieth of its time.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 6,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return await brotli(content, { params });
}
