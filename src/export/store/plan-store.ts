import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { readChecked, writeChecked } from "../../lib/cache/index.js";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { shortHash } from "../../lib/short-hash.js";
import { createFrontmatterParser } from "../../page/content/index.js";
import { type FileScan, type ScanStore, scanFile } from "../../site/discover/index.js";
import type { Site } from "../../site/site.js";
import { knowPlanHashes, type PlanHashes, planHashes } from "./page-facts.js";
import type { FileState, TrackedFiles } from "./source-files.js";

export interface SitePlan {
  /** Undefined without a page. */
  readonly site: Site | undefined;
  /** Of the settings and the plan. */
  readonly diagnostics: readonly Diagnostic[];
}

interface PlanRecord extends SitePlan {
  /** Hash of the options and of the paths of all files. */
  readonly key: string;
  /** Of the scans, see `BegunScans`. */
  readonly generation: string;
  readonly hashes: PlanHashes | undefined;
  /** Files of which the plan has only what their scans say. */
  readonly scanned: readonly string[];
  /** The others that it was made from: what `stat` said of them, and the hashes of those that were read as texts. */
  readonly others: readonly (readonly [path: string, state: string, answer: string | undefined])[];
}

/** The plan of the last export, for one in which no file has changed that the plan depends on. */
export type KnownPlan = ReturnType<typeof openKnownPlan>;

/**
 * @param folder of the stored pages
 * @param stateOf by source path
 * @param asked the options that the plan depends on
 */
export function openKnownPlan(
  folder: string,
  scans: KnownScans,
  stateOf: (path: string) => FileState,
  asked: readonly unknown[],
) {
  const file = join(folder, "plan");
  const keyOf = ({ paths }: TrackedFiles): string => shortHash(JSON.stringify([asked, paths]));
  return {
    scans,
    /** Reads what has changed. Undefined if the plan may be another one: then `files` have been read in vain. */
    find(files: TrackedFiles): SitePlan | undefined {
      const record = readRecord(file);
      if (!record?.site || record.key !== keyOf(files)) return undefined;
      if (record.others.some(([path, state]) => stateOf(path).text !== state)) return undefined;
      const { variables } = record.site.config;
      const parse = createFrontmatterParser(variables);
      const store = scans.begin(variables, files);
      if (record.generation === "" || store.generation() !== record.generation) return undefined;
      for (const path of record.scanned) {
        if (store.get(path)) continue;
        const before = store.before(path);
        if (!before) return undefined;
        const now = scanFile(files, path, before.frontmatter && parse);
        if (comparable(before) !== comparable(now)) return undefined;
        store.set(path, now);
      }
      store.endSame();
      for (const [path, , answer] of record.others)
        if (answer === undefined) files.sizeOf(path);
        else files.noteText(path, answer);
      if (record.hashes) knowPlanHashes(record.site, record.hashes);
      return record;
    },
    /** @param files as they were read for this plan */
    keep({ site, diagnostics }: SitePlan, files: TrackedFiles, { asked: scanned, generation }: BegunScans): void {
      const isScanned = new Set(scanned);
      const paths = files.allReads().filter((path) => !isScanned.has(path));
      if (!paths.every((path) => stateOf(path).isSettled)) return;
      const others = paths.map((path) => [path, stateOf(path).text, files.textAnswers.get(path)] as const);
      const hashes = site && planHashes(site);
      const of = { site, diagnostics, hashes };
      const record: PlanRecord = { key: keyOf(files), generation: generation(), scanned, others, ...of };
      writeChecked(file, serialize(record));
    },
  };
}

function readRecord(file: string): PlanRecord | undefined {
  const bytes = readChecked(file);
  try {
    return bytes && (deserialize(bytes) as PlanRecord);
  } catch {
    return undefined;
  }
}

/** All that the plan takes from a file. */
const comparable = ({ head: _, classWords, ...scan }: FileScan): string =>
  JSON.stringify([scan, [...new Set(classWords)].sort()]);

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
interface KnownScans {
  /** @param variables front matter uses them */
  begin(variables: unknown, files: TrackedFiles): BegunScans;
}

interface BegunScans extends Required<ScanStore> {
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
