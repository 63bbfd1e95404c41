import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readChecked, writeChecked } from "../lib/cache/index.js";
import type { FileScan, ScanStore } from "../site/discover/index.js";
import type { FileState } from "./file-state.js";
import type { TrackedFiles } from "./track-reads.js";

interface Line {
  /** As it is stored. */
  readonly text: string;
  readonly path: string;
  /** What `stat` said about the file before it was read. */
  readonly state: string;
  /** Hash of its text. */
  readonly answer: string;
  /** Without the text before the body. */
  readonly scan: FileScan;
}

/** What the plan takes from the files that have not changed since an earlier export: these are not read again. */
export interface KnownScans {
  /** @param variables front matter uses them */
  begin(variables: unknown, files: TrackedFiles): BegunScans;
}

export interface BegunScans extends Required<ScanStore> {
  /** The scan of a file before it changed. */
  before(path: string): FileScan | undefined;
  /** Every file that was asked for. */
  readonly asked: readonly string[];
  /** Another one each time that a scan has changed in a way that matters; "" before the first. */
  generation(): string;
  /** As `end`, if no scan that was set differs from the one before in a way that matters. */
  endSame(): void;
}

/** @param folder of the stored pages @param stateOf by source path */
export function openKnownScans(folder: string, stateOf: (path: string) => FileState): KnownScans {
  const file = join(folder, "scans");
  return {
    begin(variables, files) {
      const head = JSON.stringify(variables ?? null);
      const { known, generation: before } = readLines(file, head);
      let generation = before;
      const kept: Line[] = [];
      const asked: string[] = [];
      const fresh: (readonly [path: string, scan: FileScan])[] = [];
      const write = (): void => {
        const lines = fresh.flatMap(([path, { head: _, ...scan }]) => {
          const { text, isSettled } = stateOf(path);
          const answer = files.textAnswers.get(path);
          const line = [path, text, answer, { ...scan, classWords: [...new Set(scan.classWords)] }];
          return isSettled && answer !== undefined ? [JSON.stringify(line)] : [];
        });
        writeChecked(file, Buffer.from([head, generation, ...kept.map(({ text }) => text), ...lines].join("\n")));
      };
      return {
        asked,
        before: (path) => known.get(path)?.scan,
        get(path) {
          asked.push(path);
          // Asked before the file is read.
          const { text } = stateOf(path);
          const line = known.get(path);
          if (line?.state !== text) return undefined;
          files.noteText(path, line.answer);
          kept.push(line);
          return line.scan;
        },
        set: (path, scan) => void fresh.push([path, scan]),
        generation: () => generation,
        end() {
          if (fresh.length === 0 && kept.length === known.size) return;
          generation = randomBytes(8).toString("hex");
          write();
        },
        endSame() {
          if (fresh.length > 0) write();
        },
      };
    },
  };
}

function readLines(file: string, wanted: string) {
  const [head, generation = "", ...lines] = readChecked(file)?.toString("utf8").split("\n") ?? [];
  const known = new Map<string, Line>();
  for (const text of head === wanted ? lines : []) {
    const [path, state, answer, scan] = JSON.parse(text) as [string, string, string, Omit<FileScan, "head">];
    known.set(path, { text, path, state, answer, scan: { ...scan, head: "" } });
  }
  return { known, generation: head === wanted ? generation : "" };
}
