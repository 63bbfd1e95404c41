import { lstatSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { shortHash } from "../../lib/short-hash.js";
import { type FileTexts, openFolder, type SiteFiles } from "../../site/source/index.js";
import type { OpenedRun } from "../run/open-run.js";

interface FileState {
  /** What `stat` says about the file: another text for each change of its content. Empty if there is no file. */
  readonly text: string;
  /** False if the file may change again without another state. */
  readonly isSettled: boolean;
}

/**
 * A file that changed so shortly before it was read may change again without a new time: within one tick of the clock of
 * file systems, which some round to seconds.
 */
const tickMs = 50;
const roundedTickMs = 2_000;

/** A file counts as unchanged if its size, inode, time of content and time of state are, as in the index of git. */
export function stateOf(path: string, readStats: (path: string) => OwnStats | undefined = statsOf): FileState {
  const stats = readStats(path);
  if (!stats) return { text: "", isSettled: true };
  const { ctimeMs } = stats;
  const tick = ctimeMs % 1 === 0 ? roundedTickMs : tickMs;
  return { text: `${identityOf(stats)} ${ctimeMs}`, isSettled: ctimeMs < Date.now() - tick };
}

/** Users of the library may not have the types of Node.js. */
interface OwnStats {
  readonly dev: number;
  readonly ino: number;
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** What a path leads to; undefined if there is nothing. */
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
  /** Records a text as read whose hash is known. */
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

/** Another program has changed or removed files of the site since the run began to read it. */
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
  const { source, output, archive, cacheFolder } = settings;
  const written = [inMemory ? undefined : output, archive].filter((path) => path !== undefined);
  return openSourceFolder(source, written, {
    hashTexts: cacheFolder !== undefined,
    ...(texts && { texts }),
  });
}

/**
 * Lists the files of a site.
 *
 * @param written files and folders that an export writes; they do not belong to the site, even inside its folder
 * @param hashTexts see `trackReads`
 */
export function openSourceFolder(
  source: string,
  written: readonly string[] = [],
  { hashTexts = false, ...folder }: { readonly hashTexts?: boolean; readonly texts?: FileTexts } = {},
) {
  const { files, diagnostics } = openFolder(source, { ignore: ignoreWritten(source, written), ...folder });
  const { root, paths } = files;
  const states = new Map<string, FileState>();
  const stateAt = (sourcePath: string): FileState => {
    const state = states.get(sourcePath) ?? stateOf(`${root}/${sourcePath}`);
    states.set(sourcePath, state);
    return state;
  };
  return {
    root,
    paths,
    /** Of the folder itself. */
    diagnostics,
    /** The files, none of them read. */
    openFiles: () => trackReads(files, hashTexts),
    /** The state that a file had when it was asked for first. */
    stateOf: stateAt,
    /** Notes the states of all files, before they are read. */
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
