import { lstatSync, statSync } from "node:fs";

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
export interface OwnStats {
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
