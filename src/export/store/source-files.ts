import { lstatSync, statSync } from "node:fs";
import type { SiteFiles } from "../../site/source/index.js";
import { textAnswer } from "./page-reads.js";

export interface FileState {
  /** Empty if there is no file. */
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

/** What `stat` says about a file: another text for each change of its content, as in the index of git. */
export function stateOf(path: string): FileState {
  const stats = statSync(path, { throwIfNoEntry: false });
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

/** The file itself, not what it links to; undefined if there is none. */
export const ownStats = (path: string): OwnStats | undefined => lstatSync(path, { throwIfNoEntry: false });

/** Unlike the time of its state, this is the same when a file gets or loses another name. */
export const identityOf = ({ size, ino, mode, mtimeMs }: Pick<OwnStats, "size" | "ino" | "mode" | "mtimeMs">): string =>
  `${size} ${ino} ${mode} ${mtimeMs}`;

/** States of the files of a site by source path, as they were when they were asked for first. */
export function sourceStates(root: string): (path: string) => FileState {
  const known = new Map<string, FileState>();
  return (path) => {
    const found = known.get(path) ?? stateOf(`${root}/${path}`);
    known.set(path, found);
    return found;
  };
}

/** Files of a site that record which of them are read. */
export interface TrackedFiles extends SiteFiles {
  /** Source paths read for the first time since the last call. */
  takeReads(): readonly string[];
  /** All of them. */
  allReads(): readonly string[];
  /** Hashes of the texts read, by source path; empty unless they were asked for. */
  readonly textAnswers: ReadonlyMap<string, string>;
  /** Counts a text as read, whose hash is known. */
  noteText(sourcePath: string, answer: string): void;
}

/** @param hashes whether to hash the texts while they are at hand. */
export function trackReads(files: SiteFiles, hashes = false): TrackedFiles {
  const textAnswers = new Map<string, string>();
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
      if (hashes && !textAnswers.has(sourcePath)) textAnswers.set(sourcePath, textAnswer(text));
      return text;
    }),
    readBytes: tracked(files.readBytes),
    absolutePath: tracked(files.absolutePath),
    textAnswers,
    allReads: () => [...seen],
    noteText(sourcePath, answer) {
      note(sourcePath);
      textAnswers.set(sourcePath, answer);
    },
    takeReads() {
      const taken = reads;
      reads = [];
      return taken;
    },
  };
}
