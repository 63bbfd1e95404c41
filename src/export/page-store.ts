import { readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BundleFile } from "../bundle/archive/index.js";
import {
  compactPacks,
  createPackReader,
  isDraft,
  isPackName,
  type PackPlace,
  pruneUnused,
  readChecked,
  writeChecked,
} from "../lib/cache/index.js";
import type { PagePlan } from "../site/site.js";
import { createAnswers } from "./answer-reads.js";
import { worldAnswer } from "./page-facts.js";
import { isOfFiles } from "./page-reads.js";
import type { KeptBody, PageRecord, PageResult } from "./page-result.js";
import type { PageThreadData } from "./page-thread-data.js";
import { isOutputRecord, openPreviousOutput } from "./previous-output.js";
import type { ExportRun } from "./start-run.js";
import { storeFolderOf } from "./store-folder.js";
import type { TrackedFiles } from "./track-reads.js";

/** What the store knows of a page that would be the same if it were made now. */
export interface StoredPage {
  /** The body, from which the document is made: the frame is another one, or its files are not in the previous output. */
  readonly body?: PackPlace;
  /** The whole page; its files are in the bundle already. Undefined if only the body is known. */
  readonly record?: PageRecord;
  readonly models: readonly ModelNamed[];
  readonly searchRecord?: () => Uint8Array;
  /** Files that the page has read. */
  readonly inputs: readonly string[];
}
type ModelNamed = Omit<PageResult["models"][number], "like">;

interface Entry {
  /** Output path of the page. */
  readonly page: string;
  /** Everything that its document depends on, but files. */
  readonly world: string;
  readonly body?: KeptBody;
  /** Of the document. */
  readonly reads: readonly string[];
  readonly record: Omit<PageRecord, "inputs">;
  readonly models: readonly ModelNamed[];
  /** Number of exports since the page was in one. */
  readonly unused?: number;
}

/** A page may be missing for some exports: of another branch, or of some pages only. */
const mostUnused = 8;
/** Outputs of a site whose files are known. A service exports into another folder each time. */
const mostOutputs = 4;
/** A pack that no index names may be one that another process writes. */
const writingMs = 60 * 60_000;

export type PageStore = Awaited<ReturnType<typeof openPageStore>>;

/** The pages of earlier exports of a site, with what was read for them. Undefined without a cache, and for a check. */
export async function openPageStore(
  { settings, staging, isForOther }: ExportRun,
  threadData: PageThreadData,
  { textAnswers }: TrackedFiles,
) {
  const { cacheFolder } = settings;
  if (cacheFolder === undefined || staging === undefined) return undefined;
  const folder = storeFolderOf(cacheFolder, isForOther ? "" : threadData.root);
  const data = { ...threadData, packs: folder };
  const world = worldAnswer(data);
  const holds = await createAnswers(data, textAnswers);
  const previous = openPreviousOutput(folder, staging);
  const packs = createPackReader(folder);
  const index = join(folder, "index");
  const entries = readIndex(index);
  const lines = new Map<string, Entry>();

  return {
    data,
    /** @param plan absent for what the pages share. */
    find(page: string, plan?: PagePlan): StoredPage | undefined {
      const entry = entries.get(page);
      if (entry === undefined) return undefined;
      const isSameWorld = entry.world === world;
      const { body } = entry;
      if (body && !holds(body.reads, isSameWorld ? isOfFiles : () => true, plan)) return undefined;
      // A damaged record is noticed before it is needed.
      if (body?.record && !packs.read(body.record)) return undefined;
      const reads = [...(body?.reads ?? []), ...entry.reads];
      const { models } = entry;
      const found = {
        models,
        inputs: reads
          .filter((_, at) => at % 2 === 0)
          .flatMap((question) => /^(?:text|size) (.*)$/s.exec(question)?.[1] ?? []),
        ...(body?.record ? { searchRecord: () => packs.read(body.record!)! } : {}),
      };
      if (isSameWorld && holds(entry.reads, isOfFiles) && previous.take(entry.record.files)) {
        lines.set(page, { ...entry, unused: 0 });
        return { ...found, record: { ...entry.record, inputs: found.inputs } };
      }
      return body && { ...found, body: body.at };
    },
    /** @param result without the files that are made of a page later. */
    keep(page: string, { kept, models, ...result }: PageResult): void {
      if (kept === undefined) return;
      const { files, ids, anchorsWanted, external, diagnostics, stylesheets } = result;
      const body = kept.body ?? entries.get(page)?.body;
      lines.set(page, {
        page,
        world,
        ...(body ? { body } : {}),
        reads: kept.reads,
        record: { files, ids, anchorsWanted, external, diagnostics, stylesheets },
        models: models.map(({ like: _, ...model }) => model),
      });
    },
    /** Call it once the bundle is in its place and the old one is gone. @param files of pages. */
    async save(files: readonly BundleFile[]): Promise<void> {
      packs.close();
      previous.keep(files);
      for (const [page, entry] of entries) {
        const unused = (entry.unused ?? 0) + 1;
        if (!lines.has(page) && unused <= mostUnused) lines.set(page, { ...entry, unused });
      }
      const before = new Set([...entries.values()].flatMap(placesOf).map(([pack]) => pack));
      const kept = withMoved([...lines.values()], folder);
      writeChecked(index, Buffer.from(kept.map((entry) => JSON.stringify(entry)).join("\n")));
      removeUnused(folder, new Set(kept.flatMap(placesOf).map(([pack]) => pack)), before);
      await pruneUnused(dirname(folder), [/^[0-9a-f]{16}$/]);
    },
  };
}

const placesOf = ({ body }: Entry): PackPlace[] => (body ? [body.at, ...(body.record ? [body.record] : [])] : []);

function withMoved(entries: readonly Entry[], folder: string): readonly Entry[] {
  const moved = compactPacks(folder, entries.flatMap(placesOf));
  if (moved.size === 0) return entries;
  return entries.map((entry) => {
    const { body } = entry;
    if (!body) return entry;
    const record = body.record && { record: moved.get(body.record) ?? body.record };
    return { ...entry, body: { ...body, at: moved.get(body.at) ?? body.at, ...record } };
  });
}

function readIndex(file: string): Map<string, Entry> {
  const text = readChecked(file)?.toString("utf8");
  const entries = text ? text.split("\n").map((line) => JSON.parse(line) as Entry) : [];
  return new Map(entries.map((entry) => [entry.page, entry]));
}

/** @param before packs that were complete when this run began. */
function removeUnused(folder: string, used: ReadonlySet<string>, before: ReadonlySet<string>): void {
  try {
    const files = readdirSync(folder).map((name) => {
      const { mtimeMs } = statSync(join(folder, name));
      return { name, mtimeMs, isOld: Date.now() - mtimeMs > writingMs };
    });
    const outputs = files.filter(({ name }) => isOutputRecord(name)).toSorted((a, b) => b.mtimeMs - a.mtimeMs);
    const unused = [
      ...files.filter(({ name, isOld }) => isPackName(name) && !used.has(name) && (isOld || before.has(name))),
      ...files.filter(({ name, isOld }) => isDraft(name) && isOld),
      ...outputs.slice(mostOutputs),
    ];
    for (const { name } of unused) rmSync(join(folder, name), { force: true });
  } catch {
    // The next export tries again.
  }
}
