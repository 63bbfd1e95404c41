import { hash, randomBytes } from "node:crypto";
import { appendFileSync, closeSync, mkdirSync, openSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../attempt.js";
import { shortHash } from "../short-hash.js";
import { type Cache, markUsed } from "./folder-cache.js";
import { readAt } from "./packs.js";

const packCount = 64;
/** A larger pack is emptied: the cache cannot tell which of its entries are still used. */
const maxBytes = 16 * 2 ** 20;
/** A pack is rewritten if its unused entries take more space than the used ones and these bytes. */
const spareBytes = 64 * 1024;
/** Before each entry: key, length in bytes and hash. The last entry of a key counts. */
const headPattern = /^([0-9a-f]+) (\d{1,9}) ([\w-]+)$/;

/**
 * A cache of many entries in few files, which threads and processes may share: creating a file costs more than highlighting
 * the code of a small page. Entries are appended. After a crash an entry is complete or missing. Two processes that write at
 * the same time may lose entries, nothing else. Keys are lower-case hex.
 *
 * @param folder shared with `openFolderCache`, whose pruning removes unused packs.
 * @param kind name of the kind of entries; each kind has its own files.
 */
export function openPackedCache(folder: string, kind: string): Cache {
  const packs = new Map<number, Pack | undefined>();
  const packOf = (key: string): Pack | undefined => {
    const number = Number.parseInt(key.slice(0, 8), 16) % packCount;
    if (!packs.has(number)) {
      const name = hash("sha256", `${kind} ${number}`, "hex");
      packs.set(
        number,
        attempt(() => openPack(join(folder, name.slice(0, 2), name.slice(2)))),
      );
    }
    return packs.get(number);
  };
  return {
    get: (key) => attempt(() => packOf(key)?.get(key)),
    put: (key, value) => attempt(() => packOf(key)?.put(key, value)),
  };
}

type Pack = ReturnType<typeof openPack>;

function openPack(path: string) {
  const entries = new Map<string, { readonly at: number; readonly length: number; readonly digest: string }>();
  /** Offset up to which the pack has been read. */
  let readTo = 0;
  let inode = 0;
  /** Reads what was appended. False if the pack ends with an incomplete or invalid entry. */
  const readNew = (): boolean => {
    const { size, ino } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0, ino: 0 };
    if (ino !== inode) {
      // Another process has replaced the pack by a smaller one.
      entries.clear();
      readTo = 0;
      inode = ino;
    }
    if (size <= readTo) return true;
    const bytes = read(path, readTo, size - readTo);
    let at = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, at)) {
      const [, key, written, digest] = headPattern.exec(bytes.toString("latin1", at, end)) ?? [];
      if (key === undefined) {
        readTo = size;
        return false;
      }
      const length = Number(written);
      if (end + 1 + length > bytes.length) break;
      entries.set(key, { at: readTo + end + 1, length, digest: digest! });
      at = end + 1 + length;
    }
    readTo += at;
    return readTo === size;
  };
  const get = (key: string): Buffer | undefined => {
    if (!entries.has(key)) readNew();
    const entry = entries.get(key);
    const value = entry && read(path, entry.at, entry.length);
    return value && shortHash(value) === entry.digest ? value : undefined;
  };
  const isComplete = readNew();
  const needed = [...entries.values()].reduce((sum, { length }) => sum + length, 0);
  if (!isComplete || readTo > 2 * needed + spareBytes || readTo > maxBytes) {
    const keys = readTo > maxBytes ? [] : [...entries.keys()];
    const values = keys.map((key) => [key, get(key)] as const);
    const draft = `${path}.${randomBytes(6).toString("hex")}`;
    writeFileSync(
      draft,
      Buffer.concat(values.flatMap(([key, value]) => (value ? [headOf(key, value)[0], value] : []))),
    );
    renameSync(draft, path);
    readNew();
  }
  if (readTo > 0) markUsed(path);
  else mkdirSync(dirname(path), { recursive: true });
  return {
    get,
    put(key: string, value: Uint8Array): void {
      const [head, digest] = headOf(key, value);
      appendFileSync(path, Buffer.concat([head, value]));
      const { size, ino } = statSync(path);
      if (ino === inode && size === readTo + head.length + value.length) {
        entries.set(key, { at: size - value.length, length: value.length, digest });
        readTo = size;
      }
      // Another process wrote at the same time: the next read finds both entries.
      else entries.delete(key);
    },
  };
}

const lineFeed = 10;

/** The header line of an entry, and the hash that it contains. */
function headOf(key: string, value: Uint8Array): readonly [head: Buffer, digest: string] {
  const digest = shortHash(value);
  return [Buffer.from(`${key} ${value.length} ${digest}\n`), digest];
}

function read(path: string, at: number, length: number): Buffer {
  const file = openSync(path, "r");
  try {
    return readAt(file, at, length);
  } finally {
    closeSync(file);
  }
}
