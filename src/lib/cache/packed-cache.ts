import { hash, randomBytes } from "node:crypto";
import { appendFileSync, closeSync, mkdirSync, openSync, readSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { shortHash } from "../short-hash.js";
import type { Cache } from "./folder-cache.js";
import { markUsed } from "./prune-unused.js";

const packCount = 64;
/** A pack that is larger begins again: what it has of pages that are gone is not known. */
const mostBytes = 16 * 2 ** 20;
/** What a pack may have besides twice what is needed. */
const spareBytes = 64 * 1024;
/** Before each entry: key, length in bytes and hash. The last entry of a key counts. */
const headPattern = /^([0-9a-f]+) (\d{1,9}) ([\w-]+)$/;

/**
 * A cache of many entries in few files, which threads and processes may share: making a file costs more than highlighting
 * the code of a small page. Entries are appended. After a crash an entry is complete or missing, and what two processes do
 * at once costs at most entries. Keys are lower-case hex.
 *
 * @param folder of `openFolderCache`, which removes packs that are not used.
 * @param kind of entries: other kinds are in other files.
 */
export function openPackedCache(folder: string, kind: string): Cache {
  const packs = new Map<number, Pack | undefined>();
  const packOf = (key: string): Pack | undefined => {
    const number = Number.parseInt(key.slice(0, 8), 16) % packCount;
    if (!packs.has(number)) {
      const name = hash("sha256", `${kind} ${number}`, "hex");
      packs.set(
        number,
        tryTo(() => openPack(join(folder, name.slice(0, 2), name.slice(2)))),
      );
    }
    return packs.get(number);
  };
  return {
    get: (key) => tryTo(() => packOf(key)?.get(key)),
    put: (key, value) => tryTo(() => packOf(key)?.put(key, value)),
  };
}

type Pack = ReturnType<typeof openPack>;

function openPack(path: string) {
  const entries = new Map<string, { readonly at: number; readonly length: number; readonly digest: string }>();
  /** The bytes before this have been looked through. */
  let known = 0;
  let inode = 0;
  /** False if it ends with something that is not an entry, or not yet. */
  const look = (): boolean => {
    const { size, ino } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0, ino: 0 };
    if (ino !== inode) {
      // Another process has made it smaller.
      entries.clear();
      known = 0;
      inode = ino;
    }
    if (size <= known) return true;
    const bytes = read(path, known, size - known);
    let at = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, at)) {
      const [, key, written, digest] = headPattern.exec(bytes.toString("latin1", at, end)) ?? [];
      if (key === undefined) {
        known = size;
        return false;
      }
      const length = Number(written);
      if (end + 1 + length > bytes.length) break;
      entries.set(key, { at: known + end + 1, length, digest: digest! });
      at = end + 1 + length;
    }
    known += at;
    return known === size;
  };
  const get = (key: string): Buffer | undefined => {
    if (!entries.has(key)) look();
    const entry = entries.get(key);
    const value = entry && read(path, entry.at, entry.length);
    return value && shortHash(value) === entry.digest ? value : undefined;
  };
  const isWhole = look();
  const needed = [...entries.values()].reduce((sum, { length }) => sum + length, 0);
  if (!isWhole || known > 2 * needed + spareBytes || known > mostBytes) {
    const kept = known > mostBytes ? [] : [...entries.keys()];
    const values = kept.map((key) => [key, get(key)] as const);
    const draft = `${path}.${randomBytes(6).toString("hex")}`;
    writeFileSync(
      draft,
      Buffer.concat(values.flatMap(([key, value]) => (value ? [headOf(key, value)[0], value] : []))),
    );
    renameSync(draft, path);
    look();
  }
  if (known > 0) markUsed(path);
  else mkdirSync(dirname(path), { recursive: true });
  return {
    get,
    put(key: string, value: Uint8Array): void {
      const [head, digest] = headOf(key, value);
      appendFileSync(path, Buffer.concat([head, value]));
      const { size, ino } = statSync(path);
      if (ino === inode && size === known + head.length + value.length) {
        entries.set(key, { at: size - value.length, length: value.length, digest });
        known = size;
      }
      // The next look finds it, after what others have written before.
      else entries.delete(key);
    },
  };
}

const lineFeed = 10;

/** What is before an entry, and the hash in it. */
function headOf(key: string, value: Uint8Array): readonly [head: Buffer, digest: string] {
  const digest = shortHash(value);
  return [Buffer.from(`${key} ${value.length} ${digest}\n`), digest];
}

function read(path: string, at: number, length: number): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    for (let count = -1; done < length && count !== 0; done += count)
      count = readSync(file, bytes, done, length - done, at + done);
    return bytes.subarray(0, done);
  } finally {
    closeSync(file);
  }
}

/** No run depends on a cache. */
function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
