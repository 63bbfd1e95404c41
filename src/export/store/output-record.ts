import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { BundleFile, Staging } from "../../bundle/archive/index.js";
import { attempt } from "../../lib/attempt.js";
import { readChecked, writeChecked } from "../../lib/cache/index.js";
import { lazy, remembered } from "../../lib/memo.js";
import { fileHash } from "../../lib/short-hash.js";
import { folderOf } from "../../lib/url/index.js";
import { outputRecordName } from "./page-index.js";
import { identityOf, type OwnStats, ownStats, stateOf } from "./source-files.js";

/** A path of the cache is checked as any other. It is cheaper than `bundlePath`, and thousands of files are asked for. */
const isInside = (path: string): boolean => !/(?:^|\/)\.{0,2}(?:\/|$)|[\\\0]/.test(path);

/** What a record says about a file of the bundle: the hash of its bytes, and its identity (see `identityOf`). */
interface RecordedFile {
  readonly sha256: string;
  readonly identity: string;
}

/**
 * The bundle as the last export left it: the state of each folder, which changes as soon as an entry is added, removed or
 * replaced, and the identity of each file. A folder in its old state has its old files: thousands of them need not be
 * looked at. Only bytes that somebody wrote into an existing file go unnoticed by that, unless `verify` is set.
 *
 * Undefined without an output folder.
 *
 * @param folder of the store
 * @param staging of the run, whose work folder may be in the bundle's
 * @param verify whether to look at each file in any case
 */
export function openOutputRecord(folder: string, staging: Staging, verify: boolean) {
  const { target } = staging;
  if (target === undefined) return undefined;
  const path = join(folder, outputRecordName(target));
  const bytes = readChecked(path) ?? Buffer.alloc(0);
  const headEnd = bytes.indexOf(10);
  const { id, settledMs, folders }: RecordHead =
    headEnd < 0 ? noRecord : JSON.parse(bytes.toString("utf8", 0, headEnd));
  const files = lazy(() => readFiles(bytes.toString("utf8", headEnd + 1)));
  const states = new Map(folders);
  const isSameFolder = remembered((name): boolean => {
    const state = states.get(name) ?? "";
    return !verify && state !== "" && folderState(target, name).text === state;
  });
  /** Files that have the recorded bytes with another identity. */
  const copies = new Map<string, OwnStats>();
  const isSameFile = (file: string): boolean => {
    const place = `${target}/${file}`;
    const stats = ownStats(place);
    const recorded = files().get(file);
    if (!stats || !recorded) return false;
    const identity = identityOf(stats);
    if (identity === recorded.identity && stats.ctimeMs <= settledMs) return true;
    const [size, , mode] = recorded.identity.split(" ");
    const mayBeCopy = stats.isFile() && `${stats.size} ${stats.mode}` === `${size} ${mode}`;
    if (!mayBeCopy || fileHash(place)?.toString("hex") !== recorded.sha256) return false;
    if (stateOf(place, () => stats).isSettled) copies.set(file, stats);
    return true;
  };
  /** Entries of each folder, with `/` at the end of folders. */
  const workName = basename(dirname(staging.folder));
  const entriesOf = lazy(() =>
    Map.groupBy([...files().keys(), ...[...states.keys()].map((name) => `${name}/`)], parentOf),
  );
  const hasSameEntries = (name: string): boolean => {
    const recorded = new Set(entriesOf().get(name));
    if (name === "") recorded.delete("/");
    const entries = attempt(() => readdirSync(placeIn(target, name), { withFileTypes: true }));
    if (entries === undefined) return false;
    const prefix = name === "" ? "" : `${name}/`;
    const ofBundle = entries.filter((entry) => name !== "" || entry.name !== workName);
    return (
      ofBundle.length === recorded.size &&
      ofBundle.every((entry) =>
        entry.isDirectory()
          ? recorded.has(`${prefix}${entry.name}/`)
          : recorded.has(`${prefix}${entry.name}`) && isSameFile(`${prefix}${entry.name}`),
      )
    );
  };
  /** Records the bundle in its place. Returns its `id`. @param taken files of the old bundle that it has. */
  const save = (
    written: readonly Pick<BundleFile, "path" | "sha256">[],
    taken: ReadonlySet<string>,
    nextId: string = randomUUID(),
  ): string => {
    let lastMs = settledTime(target);
    const lines: string[] = [];
    const names = new Set([""]);
    for (const { path: file, sha256 } of written) {
      const before = taken.has(file) ? files().get(file) : undefined;
      let identity = before?.sha256 === sha256 && !copies.has(file) ? before.identity : undefined;
      if (identity === undefined) {
        const stats = (before && copies.get(file)) ?? ownStats(`${target}/${file}`);
        lastMs = Math.max(lastMs, stats?.ctimeMs ?? 0);
        identity = stats ? identityOf(stats) : "";
      }
      lines.push(file, sha256, identity);
      for (let name = folderOf(file); !names.has(name); name = folderOf(name)) names.add(name);
    }
    const next: RecordHead = {
      id: nextId,
      settledMs: lastMs,
      folders: [...names].map((name) => {
        const { text, isSettled } = folderState(target, name);
        return [name, isSettled ? text : ""];
      }),
    };
    writeChecked(path, Buffer.from([JSON.stringify(next), ...lines].join("\n")));
    return next.id;
  };
  return {
    /** Different for each bundle; empty if there is no record. */
    id,
    /** Whether the bundle has this file unchanged. */
    isSame({ path: file, sha256 }: Pick<BundleFile, "path" | "sha256">): boolean {
      return (
        files().get(file)?.sha256 === sha256 && isInside(file) && (isSameFolder(folderOf(file)) || isSameFile(file))
      );
    },
    /** Whether nothing of the bundle has changed. */
    isWhole: (): boolean =>
      id !== "" &&
      [...states.keys()].every(
        (name) => (name === "" || isInside(name)) && (isSameFolder(name) || hasSameEntries(name)),
      ),
    /** Records which files are copies, such as those of a restored cache, so that the next run need not read them. */
    keepCopies(): void {
      if (copies.size === 0) return;
      const written = Array.from(files(), ([path, { sha256 }]) => ({ path, sha256 }));
      save(written, new Set(files().keys()), id);
    },
    save,
  };
}
export type OutputRecord = NonNullable<ReturnType<typeof openOutputRecord>>;

/** The first line of a record. */
interface RecordHead {
  readonly id: string;
  /** No file has changed its state since this time. */
  readonly settledMs: number;
  /** State of each folder by its path in the bundle, `""` for the bundle itself; an empty state is never the same. */
  readonly folders: readonly (readonly [path: string, state: string])[];
}
const noRecord: RecordHead = { id: "", settledMs: 0, folders: [] };

/** The folder that has this entry; a folder has `/` at its end. */
const parentOf = (entry: string): string => folderOf(entry.replace(/\/$/, ""));
const placeIn = (target: string, name: string): string => (name === "" ? target : `${target}/${name}`);
const folderState = (target: string, name: string) => stateOf(placeIn(target, name), ownStats);

/** When the last name of the old bundle was removed: its folder, or the one around it, lost the work folder then. */
function settledTime(target: string): number {
  const [bundle, parent] = [ownStats(target), ownStats(dirname(target))];
  return Math.max(bundle?.ctimeMs ?? 0, parent && parent.dev === bundle?.dev ? parent.ctimeMs : 0);
}

/** Three lines a file. No output path contains a line feed. */
function readFiles(text: string): ReadonlyMap<string, RecordedFile> {
  const files = new Map<string, RecordedFile>();
  const lines = text.split("\n");
  for (let at = 0; at + 2 < lines.length; at += 3)
    files.set(lines[at]!, { sha256: lines[at + 1]!, identity: lines[at + 2]! });
  return files;
}
