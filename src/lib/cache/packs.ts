import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../attempt.js";
import { shortHash } from "../short-hash.js";

/** Where an entry is: the name of its file, its offset and length in bytes, and the hash of its bytes. */
export type PackPlace = readonly [pack: string, at: number, length: number, digest: string];

export const isPackName = (name: string): boolean => /^[0-9a-f]{16}\.pack$/.test(name);

/** A pack of this size is full. The limit exists because packs are sent to other machines as a whole. */
const fullPackBytes = 8 * 2 ** 20;

/** Appends entries to new packs in `folder`; the first entry creates one. */
export function createPackWriter(folder: string) {
  let name = "";
  let file: number | undefined;
  let end = 0;
  let hasFailed = false;
  const close = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return {
    /** Returns undefined once a write has failed, since no run depends on a cache. */
    put(entry: Uint8Array): PackPlace | undefined {
      if (hasFailed) return undefined;
      try {
        if (end >= fullPackBytes) close();
        if (file === undefined) {
          name = `${randomBytes(8).toString("hex")}.pack`;
          end = 0;
          mkdirSync(folder, { recursive: true });
          file = openSync(join(folder, name), "wx");
        }
        const at = end;
        for (let done = 0; done < entry.length; ) done += writeSync(file, entry, done);
        end += entry.length;
        return [name, at, entry.length, shortHash(entry)];
      } catch {
        // The folder is not writable, or the disk is full.
        hasFailed = true;
        return undefined;
      }
    },
    close,
  };
}

/** Reads entries. Packs stay open, so that another process may delete one. A pack is opened again if an entry is not found. */
export function createPackReader(folder: string) {
  const files = new Map<string, number>();
  const open = (pack: string): number | undefined => {
    const openFile = files.get(pack);
    if (openFile !== undefined || !isPackName(pack)) return openFile;
    const file = attempt(() => openSync(join(folder, pack), "r"));
    if (file !== undefined) files.set(pack, file);
    return file;
  };
  const readFrom = (file: number | undefined, [, at, length, digest]: PackPlace): Buffer | undefined => {
    const entry = file === undefined ? undefined : attempt(() => readAt(file, at, length));
    return entry && shortHash(entry) === digest ? entry : undefined;
  };
  return {
    /** Undefined if the entry is missing or damaged. */
    read(place: PackPlace): Buffer | undefined {
      const [pack] = place;
      const old = files.get(pack);
      const entry = readFrom(open(pack), place);
      if (entry !== undefined || old === undefined) return entry;
      closeSync(old);
      files.delete(pack);
      return readFrom(open(pack), place);
    },
    close(): void {
      for (const file of files.values()) closeSync(file);
      files.clear();
    },
  };
}

/** Reads a part of a file; fewer bytes if the file ends before. */
export function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  for (let count = -1; done < length && count !== 0; done += count)
    count = readSync(file, bytes, done, length - done, at + done);
  return bytes.subarray(0, done);
}

/** Each run adds a pack. If there are more small packs than this, they are merged. */
const maxSmallPacks = 8;
const smallBytes = fullPackBytes / 2;

/** Moves entries out of packs that are half unused or small. Returns new places; a damaged entry has none. */
export function compactPacks(folder: string, places: readonly PackPlace[]): ReadonlyMap<PackPlace, PackPlace> {
  const needed = new Map<string, number>();
  for (const [pack, , length] of places) needed.set(pack, (needed.get(pack) ?? 0) + length);
  const sizes = [...needed].map(([pack, bytes]) => {
    const size = statSync(join(folder, pack), { throwIfNoEntry: false })?.size ?? 0;
    return { pack, size, isHalfEmpty: bytes < size / 2 };
  });
  const areMany = sizes.filter(({ size }) => size < smallBytes).length > maxSmallPacks;
  const left = new Set(
    sizes.filter(({ size, isHalfEmpty }) => isHalfEmpty || (areMany && size < smallBytes)).map(({ pack }) => pack),
  );
  const moved = new Map<PackPlace, PackPlace>();
  if (left.size === 0) return moved;
  const reader = createPackReader(folder);
  const writer = createPackWriter(folder);
  for (const place of places) {
    const entry = left.has(place[0]) ? reader.read(place) : undefined;
    const newPlace = entry && writer.put(entry);
    if (newPlace) moved.set(place, newPlace);
  }
  reader.close();
  writer.close();
  return moved;
}
