import { closeSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BundleFile, FilePart, Staging } from "../../bundle/archive/index.js";
import type { TextPieces } from "../../bundle/outputs/llms-full.js";
import { readChecked, writeChecked } from "../../lib/cache/index.js";
import { outputRecordName } from "./page-index.js";
import { identityOf, ownStats } from "./source-files.js";

/** A path of the cache is checked as any other. It is cheaper than `bundlePath`, and thousands of files are asked for. */
const isInside = (path: string): boolean => !/(?:^|\/)\.{0,2}(?:\/|$)|[\\\0]/.test(path);

/** The files of a bundle in its place. */
export interface OutputStates {
  /** Identities of the files, by output path. */
  readonly identities: ReadonlyMap<string, string>;
  /** No file has changed its state after this time. */
  readonly settledMs: number;
}

/**
 * The files of the bundle that an earlier run has put in place. Their states are stored, so a file that somebody has changed
 * since is noticed.
 *
 * @param folder of the store
 */
export function openPreviousOutput(folder: string, { target, keep, isReplaced }: Staging) {
  const record = target === undefined ? "" : join(folder, outputRecordName(target));
  const { files, settledMs } = readStates(record);
  const taken = new Set<string>();
  let isUsed = false;
  const isSame = ({ path, sha256 }: Pick<BundleFile, "path" | "sha256">): boolean => {
    const file = files.get(path);
    if (file === undefined || file.sha256 !== sha256 || !isInside(path)) return false;
    const stats = ownStats(`${target}/${path}`);
    return stats !== undefined && identityOf(stats) === file.identity && stats.ctimeMs <= settledMs;
  };
  return {
    /** Puts these files into the new bundle if all of them are in the old one unchanged. */
    take(bundleFiles: readonly BundleFile[]): boolean {
      if (target === undefined || !bundleFiles.every(isSame)) return false;
      for (const { path } of bundleFiles) {
        taken.add(path);
        keep(path);
      }
      isUsed ||= bundleFiles.length > 0;
      return true;
    },
    /** Parts of long texts, so that those of unchanged pages are copied. */
    parts: openTextParts(folder, (path, sha256) => {
      if (target === undefined || !isSame({ path, sha256 })) return undefined;
      isUsed = true;
      return `${target}/${path}`;
    }),
    /** Whether no other run has replaced the bundle since. Call it after the last file. */
    isThere: (): boolean => !isUsed || !isReplaced(),
    /** Call it once the bundle is in its place and the old one is gone. */
    save(written: readonly BundleFile[]): OutputStates | undefined {
      if (target === undefined) return undefined;
      let lastMs = settledTime(target);
      const identities = new Map<string, string>();
      for (const { path, sha256 } of written) {
        const before = taken.has(path) ? files.get(path) : undefined;
        if (before?.sha256 === sha256) {
          identities.set(path, before.identity);
          continue;
        }
        const stats = ownStats(`${target}/${path}`);
        if (!stats) continue;
        lastMs = Math.max(lastMs, stats.ctimeMs);
        identities.set(path, identityOf(stats));
      }
      const lines = written.map(({ path, sha256 }) => `${path}\n${sha256}\n${identities.get(path) ?? ""}`);
      writeChecked(record, Buffer.from([lastMs, ...lines].join("\n")));
      return { identities, settledMs: lastMs };
    },
  };
}

/**
 * The time at which the last name of the old bundle was removed, by the clock of the file system: the folder of the bundle,
 * or the one around it, has lost the work folder then.
 */
function settledTime(target: string): number {
  const [bundle, parent] = [ownStats(target), ownStats(dirname(target))];
  return Math.max(bundle?.ctimeMs ?? 0, parent && parent.dev === bundle?.dev ? parent.ctimeMs : 0);
}

/** The time, then three lines a file. No output path contains a line feed. */
function readStates(record: string) {
  const files = new Map<string, { readonly sha256: string; readonly identity: string }>();
  const [time, ...lines] = readChecked(record)?.toString("utf8").split("\n") ?? [];
  for (let at = 0; at + 2 < lines.length; at += 3)
    files.set(lines[at]!, { sha256: lines[at + 1]!, identity: lines[at + 2]! });
  return { files, settledMs: Number(time) };
}

type TextPart = readonly [key: string, bytes: number];
/** How a text is composed, by its output path. */
type ComposedTexts = Readonly<Record<string, { readonly sha256: string; readonly parts: readonly TextPart[] }>>;

/**
 * Parts of long texts of the previous bundle.
 *
 * @param folder of the store
 * @param placeOf absolute path of a file of the previous bundle, if it is there unchanged
 */
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
