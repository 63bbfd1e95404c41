import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Encoding } from "../lib/http/index.js";
import type { ServedFile } from "./served-bundle.js";

/** A file's compressed content. @throws {Error} if it is missing or has changed: the bundle is being replaced. */
export type ContentCache = (file: ServedFile, encoding: Encoding) => Promise<Buffer>;

/** Larger files are streamed uncompressed. */
export const maxCachedBytes = 4 * 1024 * 1024;

/** Keeps files in memory, compressed once for each encoding; removes the least recently used first. */
export function createContentCache(maxBytes: number): ContentCache {
  // A map keeps insertion order: the least recently used entry is the first.
  const contents = new Map<string, Promise<Buffer>>();
  const loadedBytes = new Map<string, number>();
  let usedBytes = 0;
  const remove = (key: string): void => {
    usedBytes -= loadedBytes.get(key) ?? 0;
    loadedBytes.delete(key);
    contents.delete(key);
  };
  const load = async (key: string, file: ServedFile, encoding: Encoding): Promise<Buffer> => {
    const bytes = await readFile(file.path);
    if (bytes.length !== file.bytes) throw new Error(`"${file.path}" has changed since it was verified`);
    const content = await compress(bytes, encoding);
    loadedBytes.set(key, content.length);
    usedBytes += content.length;
    for (const oldest of contents.keys()) if (usedBytes > maxBytes && loadedBytes.has(oldest)) remove(oldest);
    return content;
  };
  return (file, encoding) => {
    const key = cacheKey(file, encoding);
    let content = contents.get(key);
    if (content === undefined) {
      content = load(key, file, encoding);
      content.catch(() => remove(key));
    }
    contents.delete(key);
    contents.set(key, content);
    return content;
  };
}

/** The key is the hash of the content, so that a new bundle shares entries with the previous one. */
const cacheKey = (file: ServedFile, encoding: Encoding): string => `${encoding} ${file.sha256}`;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

async function compress(content: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return await gzipped(content, { level: 7 });
  if (encoding === "identity") return content;
  // Quality 6 of 11: at most a tenth larger than 11, in a thirtieth of the time.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 6,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return await brotli(content, { params });
}
