import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { attempt } from "../../lib/attempt.js";
import { readChecked, writeChecked } from "../../lib/cache/index.js";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { shortHash } from "../../lib/short-hash.js";
import { createFrontmatterParser } from "../../page/content/index.js";
import { type FileScan, ownTexts, type ScanStore, scanFile } from "../../site/discover/index.js";
import type { Site } from "../../site/site.js";
import type { ExportRun } from "../run/start-run.js";
import { storeFolderOf } from "./page-index.js";
import { type PlanHashes, planHashes, setPlanHashes } from "./plan-hashes.js";
import type { Source, TrackedFiles } from "./source-files.js";

export interface SitePlan {
  /** Undefined without a page. */
  readonly site: Site | undefined;
  /** Of the settings and the plan. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The file of the store: what plans take from files, and the last plan. */
interface StoredPlan {
  /** The site's variables, as JSON: front matter uses them. */
  readonly variables: string;
  readonly scans: readonly StoredScan[];
  /** A serialized `PlanRecord`. It is rarely written again; absent if the plan cannot be reused. */
  readonly plan?: Uint8Array | undefined;
}

interface PlanRecord extends SitePlan {
  /** Hash of the options and of the paths of all files. */
  readonly key: string;
  readonly hashes: PlanHashes | undefined;
  /** Files that the plan has only scanned, not read as text. */
  readonly scanned: readonly string[];
  /** All other files that the plan depends on, each with its state, and its hash if it was read as text. */
  readonly others: readonly (readonly [path: string, state: string, hash: string | undefined])[];
}

/** What the plan uses of a file. */
interface StoredScan {
  readonly path: string;
  /** The file's state before it was read. */
  readonly state: string;
  /** Hash of its text. */
  readonly hash: string;
  /** JSON of a `FileScan` without the text before the body. It is parsed only if the file or the plan has changed. */
  readonly scan: string;
}

/** Writing the plan again takes longer than scanning this many files once more in the next run. */
const maxUnwritten = 32;

export type PlanStore = NonNullable<ReturnType<typeof openPlanStore>>;

/** The plan of the last export, which is reused if no change affects it. Undefined without a cache. */
export function openPlanStore({ settings }: Pick<ExportRun, "settings">, source: Pick<Source, "root" | "stateOf">) {
  const { cacheFolder, cacheName = source.root, paths, audience, features } = settings;
  if (cacheFolder === undefined) return undefined;
  const file = join(storeFolderOf(cacheFolder, cacheName), "plan");
  const stored = readPlan(file);
  const keyOf = (files: TrackedFiles): string =>
    shortHash(JSON.stringify([paths, audience, features.remoteSpecs, files.paths]));

  /** Begins to scan the files of the site. */
  const begin = (variables: unknown, files: TrackedFiles) => {
    const head = JSON.stringify(variables ?? null);
    const before = new Map((stored?.variables === head ? stored.scans : []).map((scan) => [scan.path, scan]));
    const scanned: string[] = [];
    const reused: StoredScan[] = [];
    const fresh = new Map<string, FileScan>();
    /** Records that the plan depends on this file. Undefined if the file has changed. */
    const reuse = (path: string): StoredScan | undefined => {
      scanned.push(path);
      // Call this before the file is read.
      const { text } = source.stateOf(path);
      const scan = before.get(path);
      if (scan?.state !== text) return undefined;
      files.noteText(path, scan.hash);
      reused.push(scan);
      return scan;
    };
    const scans: ScanStore = {
      get: (path) => parseScan(reuse(path)),
      set: (path, scan) => void fresh.set(path, scan),
    };
    const write = (plan: Uint8Array | undefined): void => {
      const added = [...fresh].flatMap(([path, scan]) => {
        const { text, isSettled } = source.stateOf(path);
        const hash = files.textHashes.get(path);
        return isSettled && hash !== undefined ? [{ path, state: text, hash, scan: printScan(scan) }] : [];
      });
      const next: StoredPlan = { variables: head, scans: [...reused, ...added], plan };
      writeChecked(file, serialize(next));
    };
    return { scans, reuse, scanned, fresh, write, before: (path: string) => parseScan(before.get(path)) };
  };

  return {
    begin,
    /** Reads the files that have changed. Undefined if the plan may have changed, too. */
    find(files: TrackedFiles): SitePlan | undefined {
      const plan = stored?.plan;
      const record = plan && (deserialize(plan) as PlanRecord);
      if (!record?.site || record.key !== keyOf(files)) return undefined;
      if (record.others.some(([path, state]) => source.stateOf(path).text !== state)) return undefined;
      const { variables } = record.site.config;
      const parse = createFrontmatterParser(variables);
      const { scans, reuse, fresh, before, write } = begin(variables, files);
      const edited = new Map<string, FileScan>();
      for (const path of record.scanned) {
        if (reuse(path)) continue;
        const scan = before(path);
        if (!scan) return undefined;
        const now = scanFile(files, path, scan.frontmatter && parse);
        if (takenByPlan(scan) !== takenByPlan(now)) edited.set(path, now);
        scans.set(path, now);
      }
      const current = edited.size === 0 ? record : withTexts(record, edited, before);
      if (!current) return undefined;
      if (fresh.size > maxUnwritten) write(current === record ? plan : serialize(current));
      for (const [path, , hash] of record.others)
        if (hash === undefined) files.sizeOf(path);
        else files.noteText(path, hash);
      if (current.hashes) setPlanHashes(current.site!, current.hashes);
      return current;
    },
    /** @param plan undefined if it depends on more than the site's files. @param files as read for it. */
    save(plan: SitePlan | undefined, files: TrackedFiles, { scanned, write }: ReturnType<typeof begin>): void {
      const isScanned = new Set(scanned);
      const others = files.allReads().filter((path) => !isScanned.has(path));
      const record: PlanRecord | undefined = plan && {
        site: plan.site,
        diagnostics: plan.diagnostics,
        key: keyOf(files),
        hashes: plan.site && planHashes(plan.site),
        scanned,
        others: others.map((path) => [path, source.stateOf(path).text, files.textHashes.get(path)]),
      };
      const isSettled = others.every((path) => source.stateOf(path).isSettled);
      write(record && isSettled ? serialize(record) : undefined);
    },
  };
}

function readPlan(file: string): StoredPlan | undefined {
  const bytes = readChecked(file);
  return bytes && attempt(() => deserialize(bytes) as StoredPlan);
}

/**
 * A plan with the new titles and descriptions of some pages. Undefined if something else has changed, or the rest of the plan
 * may show these texts, too, as the navigation does for a link to a heading.
 *
 * @param before what the plan took from a file
 */
function withTexts(
  record: PlanRecord,
  edited: ReadonlyMap<string, FileScan>,
  before: (path: string) => FileScan | undefined,
): PlanRecord | undefined {
  const { pages, ...rest } = record.site!;
  const others = JSON.stringify([rest, record.diagnostics]);
  const isShown = (text: string | undefined): boolean => text !== undefined && others.includes(JSON.stringify(text));
  const texts = new Map<string, ReturnType<typeof ownTexts>>();
  for (const [path, scan] of edited) {
    const [old, now] = [before(path)?.frontmatter, scan.frontmatter];
    if (!old || !now || isShown(path)) return undefined;
    const [oldTexts, newTexts] = [ownTexts(old), ownTexts(now)];
    const names = Object.keys(oldTexts);
    const restored = { ...now, ...Object.fromEntries(names.map((name) => [name, old[name]!])) };
    const isSame = takenByPlan(before(path)!) === takenByPlan({ ...scan, frontmatter: restored });
    if (
      !isSame ||
      names.length !== Object.keys(newTexts).length ||
      [oldTexts.title, oldTexts.sidebarTitle].some(isShown)
    )
      return undefined;
    texts.set(path, newTexts);
  }
  const next = pages.map((page) => {
    const own = page.generated ? undefined : texts.get(page.sourcePath);
    return own ? { ...page, ...own } : page;
  });
  const site = { ...record.site!, pages: next };
  return { ...record, site, hashes: planHashes(site, record.hashes?.withoutTexts) };
}

const printScan = ({ head: _, ...scan }: FileScan): string =>
  JSON.stringify({ ...scan, classWords: [...new Set(scan.classWords)] });

const parseScan = (stored: StoredScan | undefined): FileScan | undefined =>
  stored && { ...(JSON.parse(stored.scan) as Omit<FileScan, "head">), head: "" };

/** All that the plan takes from a file. */
const takenByPlan = ({ head: _, classWords, ...scan }: FileScan): string =>
  JSON.stringify([scan, [...new Set(classWords)].sort()]);
