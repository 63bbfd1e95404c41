import { lstatSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { readChecked, writeChecked } from "../../lib/cache/index.js";
import { lazy } from "../../lib/memo.js";
import { shortHash, shortHashOfFile } from "../../lib/short-hash.js";
import { type FileTexts, openFolder, type SiteFiles } from "../../site/source/index.js";
import type { OpenedRun } from "../run/open-run.js";
import { storeFolderOf } from "./page-index.js";

/**
 * A file's state from `stat`, which differs after each change of the content.
 *
 * @param values size, inode, mode, mtime and ctime; none if there is no file
 * @param isSettled false if the file could still change without a new state
 */
class FileState {
  constructor(
    readonly values: readonly number[],
    readonly isSettled: boolean,
  ) {}
  /** Empty if there is no file. Made when asked for: thousands of numbers take longer to write than to compare. */
  get text(): string {
    return this.values.join(" ");
  }
}

/** Values of a `FileState`. */
export const stateLength = 5;

/** Milliseconds. A file that changed this shortly before it was read can change again with the same time. */
const tickMs = 50;
const roundedTickMs = 2_000;

/** A file counts as unchanged if its size, inode, mtime and ctime are the same, as in Git's index. */
export function stateOf(path: string, readStats: (path: string) => OwnStats | undefined = statsOf): FileState {
  const stats = readStats(path);
  if (!stats) return new FileState([], true);
  const { size, ino, mode, mtimeMs, ctimeMs } = stats;
  const tick = ctimeMs % 1 === 0 ? roundedTickMs : tickMs;
  return new FileState([size, ino, mode, mtimeMs, ctimeMs], ctimeMs < Date.now() - tick);
}

/** Users of the library may not have the types of Node.js. */
export interface OwnStats {
  readonly dev: number;
  readonly ino: number;
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  isFile(): boolean;
}

/** The file that a path leads to, links followed; undefined if there is none. */
const statsOf = (path: string): OwnStats | undefined => statSync(path, { throwIfNoEntry: false });

/** The file itself, not what it links to; undefined if there is none. */
export const ownStats = (path: string): OwnStats | undefined => lstatSync(path, { throwIfNoEntry: false });

/** Unlike the time of its state, this stays the same when a file gets or loses another hard link. */
export const identityOf = ({ size, ino, mode, mtimeMs }: Pick<OwnStats, "size" | "ino" | "mode" | "mtimeMs">): string =>
  `${size} ${ino} ${mode} ${mtimeMs}`;

/** Files of a site that record which of them are read. */
export interface TrackedFiles extends SiteFiles {
  /** Source paths read for the first time since the last call. */
  takeReads(): readonly string[];
  /** All source paths read so far. */
  allReads(): readonly string[];
  /** Hashes of the texts read, by source path; empty unless `hashTexts` is set. */
  readonly textHashes: ReadonlyMap<string, string>;
  /** Records that a text with a known hash was read. */
  noteText(sourcePath: string, hash: string): void;
}

/** @param hashTexts whether to hash the texts while they are at hand */
export function trackReads(files: SiteFiles, hashTexts = false): TrackedFiles {
  const textHashes = new Map<string, string>();
  const seen = new Set<string>();
  let reads: string[] = [];
  const note = (sourcePath: string): void => {
    if (seen.has(sourcePath)) return;
    seen.add(sourcePath);
    reads.push(sourcePath);
  };
  const tracked =
    <Result>(read: (sourcePath: string) => Result) =>
    (sourcePath: string): Result => {
      note(sourcePath);
      return read(sourcePath);
    };
  return {
    ...files,
    sizeOf: tracked(files.sizeOf),
    readText: tracked((sourcePath) => {
      const text = files.readText(sourcePath);
      if (hashTexts && !textHashes.has(sourcePath)) textHashes.set(sourcePath, shortHash(text));
      return text;
    }),
    readBytes: tracked(files.readBytes),
    absolutePath: tracked(files.absolutePath),
    textHashes,
    allReads: () => [...seen],
    noteText(sourcePath, hash) {
      note(sourcePath);
      textHashes.set(sourcePath, hash);
    },
    takeReads() {
      const taken = reads;
      reads = [];
      return taken;
    },
  };
}

export interface SourceChange {
  readonly sourcePath: string;
  readonly isRemoved: boolean;
}

/** Another program changed or removed files of the site while the run was reading it. */
export class SourceChangedError extends Error {
  override readonly name = "SourceChangedError";
  constructor(
    readonly root: string,
    readonly changes: readonly SourceChange[],
    options?: ErrorOptions,
  ) {
    super("Files of the site have changed while it was read.", options);
  }
}

/** The folder of a site as it is when a run begins. */
export type Source = ReturnType<typeof openSourceFolder>;

/** Lists the files of a run's site, without what the run writes. */
export function openSource(
  { settings, inMemory }: Pick<OpenedRun, "settings" | "inMemory">,
  texts?: FileTexts,
): Source {
  const { source, output, archive, cacheFolder, cacheName } = settings;
  const written = [inMemory ? undefined : output, archive].filter((path) => path !== undefined);
  return openSourceFolder(source, written, {
    hashTexts: cacheFolder !== undefined,
    recordOf: (root) => cacheFolder && join(storeFolderOf(cacheFolder, cacheName ?? root), "sources"),
    ...(texts && { texts }),
  });
}

/**
 * Lists the files of a site.
 *
 * @param written files and folders that an export writes; they do not belong to the site, even inside its folder
 * @param hashTexts see `trackReads`
 * @param recordOf file with the states and hashes that `keepStates` has stored
 */
export function openSourceFolder(
  source: string,
  written: readonly string[] = [],
  { hashTexts = false, recordOf, ...folder }: SourceOptions = {},
) {
  const { files, diagnostics } = openFolder(source, { ignore: ignoreWritten(source, written), ...folder });
  const { root, paths } = files;
  const states = new Map<string, FileState>();
  const stateAt = (sourcePath: string): FileState => {
    const before = states.get(sourcePath);
    if (before !== undefined) return before;
    const state = stateOf(`${root}/${sourcePath}`);
    states.set(sourcePath, state);
    return state;
  };
  const record = recordOf?.(root);
  const recorded = lazy(() => {
    const text = record && readChecked(record)?.toString("utf8");
    const files = text ? (JSON.parse(text) as RecordedState[]) : [];
    return new Map(files.map((file) => [file.path, file]));
  });
  /** Undefined if the file has changed in the meantime. */
  const hashNow = (sourcePath: string, state: string): string | undefined => {
    const place = `${root}/${sourcePath}`;
    const hash = shortHashOfFile(place);
    return stateOf(place).text === state ? hash : undefined;
  };
  /** Files with the bytes that they have in the record. */
  const recognized = new Map<string, RecordedState>();
  return {
    root,
    paths,
    /** Of the folder itself. */
    diagnostics,
    /** The files, none of them read. */
    openFiles: () => trackReads(files, hashTexts),
    /** The state of a file when the run first saw it, or when its present bytes were first recorded: see `recognize`. */
    stateOf(sourcePath: string): FileState {
      const state = stateAt(sourcePath);
      const first = recognized.get(sourcePath)?.first;
      return first === undefined ? state : new FileState(first.split(" ").map(Number), state.isSettled);
    },
    /** Finds the files that were rewritten with the same bytes, as in a fresh checkout. Returns whether any exist. */
    recognize: lazy((): boolean => {
      let areAny = false;
      for (const path of [...paths, ignoreFile]) {
        const { text } = stateAt(path);
        const file = recorded().get(path);
        if (!file || text === "") continue;
        const isAsRecorded = file.state === text;
        if (!isAsRecorded && (sizeIn(file.first) !== sizeIn(text) || shortHashOfFile(`${root}/${path}`) !== file.hash))
          continue;
        recognized.set(path, file);
        areAny ||= !isAsRecorded;
      }
      return areAny;
    }),
    /** Stores the states for `recognize`. @param hashes of files that have been read */
    keepStates(hashes?: TrackedFiles["textHashes"]): void {
      if (record === undefined) return;
      const files = [...paths, ignoreFile].flatMap((path): RecordedState[] => {
        const { text, isSettled } = stateAt(path);
        const { first = text, hash = hashes?.get(path) ?? hashNow(path, text) } = recognized.get(path) ?? {};
        return text === "" || hash === undefined ? [] : [{ path, first, state: isSettled ? text : "", hash }];
      });
      writeChecked(record, Buffer.from(JSON.stringify(files)));
    },
    /** Records the states of all files before they are read. */
    noteStates(): void {
      for (const path of paths) stateAt(path);
    },
    /** @throws {SourceChangedError} if one of these files has changed since its state was noted, or is gone */
    requireUnchanged(sourcePaths: readonly string[], cause?: unknown): void {
      const changes = sourcePaths.flatMap((sourcePath) => {
        const { text } = stateOf(`${root}/${sourcePath}`);
        return text === "" || text !== stateAt(sourcePath).text ? { sourcePath, isRemoved: text === "" } : [];
      });
      if (changes.length > 0) throw new SourceChangedError(root, changes, { cause });
    },
  };
}

interface SourceOptions {
  readonly hashTexts?: boolean;
  readonly recordOf?: (root: string) => string | undefined;
  readonly texts?: FileTexts;
}

interface RecordedState {
  readonly path: string;
  /** The state in which the file was first seen with these bytes. Other records refer to it by this state. */
  readonly first: string;
  /** The latest state; empty if the file could still change without a new one. */
  readonly state: string;
  /** See `shortHash`. */
  readonly hash: string;
}
const sizeIn = (state: string): string => state.slice(0, state.indexOf(" "));
/** The file that says which files are left out. It is not a file of the site itself. */
export const ignoreFile = ".mintignore";

/** Rules that exclude earlier bundles, and the work folders of killed runs, from the site. */
function ignoreWritten(source: string, written: readonly string[]): string[] {
  const inside = written
    .map((path) => relative(resolve(source), resolve(path)))
    .filter((path) => path !== "" && !path.startsWith("..") && !isAbsolute(path))
    .map(
      (path) =>
        `/${path
          .split(sep)
          .join("/")
          .replaceAll(/[\\*?[\]!#]/g, "\\$&")}`,
    );
  return [...inside, ".*.offprint-*/"];
}
