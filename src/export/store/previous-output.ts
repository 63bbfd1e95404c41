import { hash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BundleFile, FilePart, Staging } from "../../bundle/archive/index.js";
import type { TextPieces } from "../../bundle/outputs/index.js";
import { readChecked, writeChecked } from "../../lib/cache/index.js";
import { identityOf, ownStats } from "./source-files.js";

/** A path of the cache is checked as any other. It is cheaper than `bundlePath`, and thousands of files are asked for. */
const isInside = (path: string): boolean => !/(?:^|\/)\.{0,2}(?:\/|$)|[\\\0]/.test(path);

export const isOutputRecord = (name: string): boolean => /^output-[0-9a-f]{16}$/.test(name);

interface KnownFile {
  readonly sha256: string;
  readonly identity: string;
}

/** What the files of a bundle in its place are like. */
export interface OutputStates {
  /** Identities of the files, by output path. */
  readonly identities: ReadonlyMap<string, string>;
  /** No file has changed its state after this time. */
  readonly settledMs: number;
}

/**
 * The files of the bundle that an earlier run has put in place. Their state then is known, so a file that somebody has
 * changed since is recognized.
 *
 * @param folder where the states are kept.
 */
export function openPreviousOutput(folder: string, { target, keep, isReplaced }: Staging) {
  if (target === undefined)
    return { take: () => false, placeOf: () => undefined, isThere: () => true, keep: () => undefined };
  const record = join(folder, `output-${hash("sha256", target, "hex").slice(0, 16)}`);
  const { known, settledMs } = readRecord(record);
  const taken = new Set<string>();
  let isUsed = false;
  const isSame = ({ path, sha256 }: Pick<BundleFile, "path" | "sha256">): boolean => {
    const file = known.get(path);
    if (file === undefined || file.sha256 !== sha256 || !isInside(path)) return false;
    const stats = ownStats(`${target}/${path}`);
    return stats !== undefined && identityOf(stats) === file.identity && stats.ctimeMs <= settledMs;
  };
  return {
    /**
     * Puts these files into the new bundle if all of them are in the old one unchanged.
     */
    take(files: readonly BundleFile[]): boolean {
      if (!files.every(isSame)) return false;
      for (const { path } of files) {
        taken.add(path);
        keep(path);
      }
      isUsed ||= files.length > 0;
      return true;
    },
    /** Absolute path of a file, if it is there unchanged. */
    placeOf(path: string, sha256: string): string | undefined {
      if (!isSame({ path, sha256 })) return undefined;
      isUsed = true;
      return `${target}/${path}`;
    },
    /** Whether no other run has replaced the bundle since. Call it after the last file. */
    isThere: (): boolean => !isUsed || !isReplaced(),
    /** Call it once the bundle is in its place and the old one is gone. */
    keep(files: readonly BundleFile[]): OutputStates {
      let lastMs = settledTime(target);
      const identities = new Map<string, string>();
      for (const { path, sha256 } of files) {
        const before = taken.has(path) ? known.get(path) : undefined;
        if (before?.sha256 === sha256) {
          identities.set(path, before.identity);
          continue;
        }
        const stats = ownStats(`${target}/${path}`);
        if (!stats) continue;
        lastMs = Math.max(lastMs, stats.ctimeMs);
        identities.set(path, identityOf(stats));
      }
      writeRecord(record, files, identities, lastMs);
      return { identities, settledMs: lastMs };
    },
  };
}

/**
 * The time at which the last name of the old bundle was removed, by the clock of the file system: the folder of the bundle,
 * or the one around it, has lost the work folder then.
 */
function settledTime(target: string): number {
  const [own, around] = [ownStats(target), ownStats(dirname(target))];
  return Math.max(own?.ctimeMs ?? 0, around && around.dev === own?.dev ? around.ctimeMs : 0);
}

/** The time, then three lines a file. No output path contains a line feed. */
function readRecord(file: string) {
  const known = new Map<string, KnownFile>();
  const [time, ...lines] = readChecked(file)?.toString("utf8").split("\n") ?? [];
  for (let at = 0; at + 2 < lines.length; at += 3)
    known.set(lines[at]!, { sha256: lines[at + 1]!, identity: lines[at + 2]! });
  return { known, settledMs: Number(time) };
}

function writeRecord(
  file: string,
  files: readonly BundleFile[],
  identities: ReadonlyMap<string, string>,
  settledMs: number,
): void {
  const lines = files.map(({ path, sha256 }) => `${path}\n${sha256}\n${identities.get(path) ?? ""}`);
  writeChecked(file, Buffer.from([settledMs, ...lines].join("\n")));
}

type Piece = readonly [key: string, bytes: number];

/** How a file is composed, by its output path. */
type Composed = Readonly<Record<string, { readonly sha256: string; readonly pieces: readonly Piece[] }>>;

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
