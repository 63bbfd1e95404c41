import type { SiteFiles } from "../site/source/index.js";
import { textAnswer } from "./page-reads.js";

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
