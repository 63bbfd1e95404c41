import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { readChecked, writeChecked } from "../lib/cache/index.js";
import type { Diagnostic } from "../lib/diagnostic/index.js";
import { shortHash } from "../lib/short-hash.js";
import { createFrontmatterParser } from "../page/content/index.js";
import { type FileScan, scanFile } from "../site/discover/index.js";
import type { Site } from "../site/site.js";
import type { FileState } from "./file-state.js";
import type { BegunScans, KnownScans } from "./known-scans.js";
import type { TrackedFiles } from "./track-reads.js";

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
      return record;
    },
    /** @param files as they were read for this plan */
    keep({ site, diagnostics }: SitePlan, files: TrackedFiles, { asked: scanned, generation }: BegunScans): void {
      const isScanned = new Set(scanned);
      const paths = files.allReads().filter((path) => !isScanned.has(path));
      if (!paths.every((path) => stateOf(path).isSettled)) return;
      const others = paths.map((path) => [path, stateOf(path).text, files.textAnswers.get(path)] as const);
      const record: PlanRecord = { key: keyOf(files), generation: generation(), site, diagnostics, scanned, others };
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
