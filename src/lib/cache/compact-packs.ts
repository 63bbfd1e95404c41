import { statSync } from "node:fs";
import { join } from "node:path";
import { createPackReader, createPackWriter, fullPackBytes, type PackPlace } from "./packs.js";

/** A run adds a pack. Above this number of packs that are far from full, they become one. */
const mostSmall = 8;
const smallBytes = fullPackBytes / 2;

/**
 * Copies entries out of packs of which more than half is not needed any more, and out of small ones if there are many.
 * Gives the new place of each entry that has moved; a damaged one has none.
 */
export function compactPacks(folder: string, places: readonly PackPlace[]): ReadonlyMap<PackPlace, PackPlace> {
  const needed = new Map<string, number>();
  for (const [pack, , length] of places) needed.set(pack, (needed.get(pack) ?? 0) + length);
  const sizes = [...needed].map(([pack, bytes]) => {
    const size = statSync(join(folder, pack), { throwIfNoEntry: false })?.size ?? 0;
    return { pack, size, isHalfEmpty: bytes < size / 2 };
  });
  const areMany = sizes.filter(({ size }) => size < smallBytes).length > mostSmall;
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
