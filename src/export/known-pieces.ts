import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { BundleFile, FilePart } from "../bundle/archive/index.js";
import type { TextPieces } from "../bundle/outputs/index.js";
import { readChecked, writeChecked } from "../lib/cache/index.js";

type Piece = readonly [key: string, bytes: number];
/** How a file is composed, by its output path. */
type Composed = Readonly<Record<string, { readonly sha256: string; readonly pieces: readonly Piece[] }>>;

export type KnownPieces = ReturnType<typeof openKnownPieces>;

/**
 * Pieces of long texts of the previous bundle, so that those of unchanged pages are copied.
 *
 * @param folder of the stored pages
 * @param placeOf absolute path of a file of the previous bundle, if it is there unchanged
 */
export function openKnownPieces(folder: string, placeOf: (path: string, sha256: string) => string | undefined) {
  const record = join(folder, "texts");
  const before = JSON.parse(readChecked(record)?.toString("utf8") ?? "{}") as Composed;
  const made = new Map<string, Piece[]>();
  const open = new Set<number>();

  return {
    /** @param hashOf SHA-256 of a file of the new bundle, by its output path */
    begin(path: string, hashOf: TextPieces["hashOf"]): TextPieces {
      const composed = before[path];
      const place = composed && placeOf(path, composed.sha256);
      const file = place === undefined ? undefined : openSync(place, "r");
      if (file !== undefined) open.add(file);
      const known = new Map<string, FilePart>();
      let at = 0;
      for (const [key, bytes] of (file !== undefined && composed?.pieces) || []) {
        known.set(key, { file: file!, at, bytes });
        at += bytes;
      }
      const pieces: Piece[] = [];
      made.set(path, pieces);
      return {
        hashOf,
        find: (key) => known.get(key),
        keep: (key, bytes) => void pieces.push([key, bytes]),
      };
    },
    /** Call it when the files are written. */
    save(files: readonly BundleFile[]): void {
      for (const file of open) closeSync(file);
      open.clear();
      const composed = files.flatMap(({ path, sha256 }) => {
        const pieces = made.get(path);
        return pieces ? [[path, { sha256, pieces }] as const] : [];
      });
      writeChecked(record, Buffer.from(JSON.stringify(Object.fromEntries(composed))));
    },
  };
}
