import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { type BundleFile, type FilePart, manifestName, type Staging } from "../../bundle/archive/index.js";
import type { TextPieces } from "../../bundle/outputs/llms-full.js";
import { readChecked, writeChecked } from "../../lib/cache/index.js";
import { fileHash } from "../../lib/short-hash.js";
import type { OutputRecord } from "./output-record.js";

/** The files of the previous bundle to take over. @param record undefined without an output folder. */
export function openPreviousOutput(
  folder: string,
  record: OutputRecord | undefined,
  { target, keep, isReplaced }: Staging,
) {
  const taken = new Set<string>();
  let isUsed = false;
  return {
    /** Whether the old bundle has this file unchanged. */
    has: (file: BundleFile): boolean => record?.isSame(file) ?? false,
    /** Puts these files into the new bundle if all of them are in the old one unchanged. */
    take(bundleFiles: readonly BundleFile[]): boolean {
      if (!record || !bundleFiles.every(record.isSame)) return false;
      for (const { path } of bundleFiles) {
        taken.add(path);
        keep(path);
      }
      isUsed ||= bundleFiles.length > 0;
      return true;
    },
    /** Parts of long texts, so that those of unchanged pages are copied. */
    parts: openTextParts(folder, (path, sha256) => {
      if (!record?.isSame({ path, sha256 })) return undefined;
      isUsed = true;
      return `${target}/${path}`;
    }),
    /** Whether the bundle is still the one that this run started with. Call this after the last file. */
    isThere: (): boolean => !isUsed || !isReplaced(),
    /** Call this when the new bundle is in place and the old one is removed. See `OutputRecord.save`. */
    save: (written: readonly BundleFile[]): string | undefined =>
      record?.save(
        [...written, { path: manifestName, sha256: fileHash(`${target}/${manifestName}`)?.toString("hex") ?? "" }],
        taken,
      ),
  };
}

type TextPart = readonly [key: string, bytes: number];
/** How a text is composed, by its output path. */
type ComposedTexts = Readonly<Record<string, { readonly sha256: string; readonly parts: readonly TextPart[] }>>;

/** Parts of long texts of the previous bundle. @param placeOf absolute path of an unchanged file of it. */
export function openTextParts(folder: string, placeOf: (path: string, sha256: string) => string | undefined) {
  const record = join(folder, "texts");
  const before = JSON.parse(readChecked(record)?.toString("utf8") ?? "{}") as ComposedTexts;
  const written = new Map<string, TextPart[]>();
  const open = new Set<number>();
  return {
    /** @param hashOf SHA-256 of a file of the new bundle, by its output path */
    begin(path: string, hashOf: TextPieces["hashOf"]): TextPieces {
      const text = before[path];
      const place = text && placeOf(path, text.sha256);
      const reusable = new Map<string, FilePart>();
      if (place !== undefined) {
        const file = openSync(place, "r");
        open.add(file);
        let at = 0;
        for (const [key, bytes] of text!.parts) {
          reusable.set(key, { file, at, bytes });
          at += bytes;
        }
      }
      const parts: TextPart[] = [];
      written.set(path, parts);
      return {
        hashOf,
        find: (key) => reusable.get(key),
        keep: (key, bytes) => void parts.push([key, bytes]),
      };
    },
    /** Call it when the files are written. */
    save(files: readonly BundleFile[]): void {
      for (const file of open) closeSync(file);
      open.clear();
      const composed = files.flatMap(({ path, sha256 }) => {
        const parts = written.get(path);
        return parts ? [[path, { sha256, parts }] as const] : [];
      });
      writeChecked(record, Buffer.from(JSON.stringify(Object.fromEntries(composed))));
    },
  };
}
