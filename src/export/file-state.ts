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
export function stateOf(path: string, follows = true): FileState {
  const stats = (follows ? statSync : lstatSync)(path, { bigint: true, throwIfNoEntry: false });
  if (!stats) return { text: "", isSettled: true };
  const { size, ino, mode, mtimeNs, ctimeNs } = stats;
  const tick = ctimeNs % 1_000_000n === 0n ? roundedTickMs : tickMs;
  const isSettled = Number(ctimeNs / 1_000_000n) < Date.now() - tick;
  return { text: `${size} ${ino} ${mode} ${mtimeNs} ${ctimeNs}`, isSettled };
}
