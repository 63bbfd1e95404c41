import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type BundleFile, OutputReplacedError } from "../../bundle/archive/index.js";
import { openIndexCache, type StoredRecord } from "../../bundle/search/index.js";
import {
  compactPacks,
  createPackReader,
  isDraft,
  isPackName,
  type PackPlace,
  pruneUnused,
  shareFolder,
} from "../../lib/cache/index.js";
import type { PagePlan } from "../../site/site.js";
import type { PageRecord, PageResult, PageThreadData } from "../pages/thread-messages.js";
import type { ExportRun } from "../run/start-run.js";
import { createAnswers } from "./answer-reads.js";
import { worldsOf } from "./page-facts.js";
import {
  type EntryReads,
  noteNewPages,
  openStoreIndexes,
  placesOf,
  type StoreEntry,
  storeFolderOf,
} from "./page-index.js";
import { isOfFiles } from "./page-reads.js";
import { isOutputRecord, type OutputStates, openKnownPieces, openPreviousOutput } from "./previous-output.js";
import type { TrackedFiles } from "./source-files.js";

/** What the store knows of a page that would be the same if it were made now. */
export interface StoredPage {
  /** The body, from which the document is made: the frame is another one, or its files are not in the previous output. */
  readonly body?: PackPlace;
  /** The whole page; its files are in the bundle already. Undefined if only the body is known. */
  readonly record?: PageRecord;
  readonly models: readonly ModelNamed[];
  readonly searchRecord?: StoredRecord;
  /** Files that the page has read. */
  readonly inputs: readonly string[];
}
type ModelNamed = Omit<PageResult["models"][number], "like">;

/** A page may be missing for some exports: of another branch, or of some pages only. */
const mostUnused = 8;

/** Outputs of a site whose files are known. A service exports into another folder each time. */
const mostOutputs = 4;

/** A pack that no index names may be one that another process writes. */
const writingMs = 60 * 60_000;

/** The run must begin again: a record that was believed to be there is not. */
export class OutdatedStoreError extends Error {}

export type PageStore = Awaited<ReturnType<typeof openPageStore>>;

/** The pages of earlier exports of a site, with what was read for them. Undefined without a cache, and for a check. */
export async function openPageStore(run: ExportRun, threadData: PageThreadData, { textAnswers, has }: TrackedFiles) {
  const { staging } = run;
  const { cacheFolder, cacheName = threadData.root } = run.settings;
  if (cacheFolder === undefined || staging === undefined) return undefined;
  const folder = storeFolderOf(cacheFolder, cacheName);
  const shared = await fetchShared(run, folder);
  const data = { ...threadData, packs: folder };
  const worlds = worldsOf(data);
  const { whole } = worlds;
  const holds = await createAnswers(data, textAnswers);
  const previous = openPreviousOutput(folder, staging);
  const packs = createPackReader(folder);
  const search = openIndexCache({ folder, takeFile: (file) => previous.take([file]) });
  const pieces = openKnownPieces(folder, previous.placeOf);
  const indexes = openStoreIndexes(folder);
  const { entries } = indexes;
  const noted = noteNewPages(indexes);
  const lines = new Map<string, StoreEntry>();
  /** Entries whose bodies are still right. */
  const valid = new Map<string, StoreEntry>();
  const made = new Set<string>();

  /** Whether the body is still right, and the document too as far as it depends on files. */
  const isRight = (entry: StoreEntry, plan: PagePlan | undefined) => {
    const { body } = entry;
    // A damaged record is noticed before it is needed.
    if (body?.record && !search.has(body.record[3]) && packs.read(body.record) === undefined) return undefined;
    if (entry.whole === whole && holds(entry.fileReads, isOfFiles)) return { document: true };
    try {
      const reads = entry.reads();
      if (!reads) return undefined;
      if (body && !holds(reads.body, entry.whole === whole ? isOfFiles : () => true, plan)) return undefined;
      return { document: holds(reads.document, isOfFiles) };
    } catch {
      // A question of another form: the index is not by this program.
      return undefined;
    }
  };

  /** Files that were read. The size of a missing one may have been asked for, too. */
  const inputsIn = (reads: readonly string[]): string[] =>
    reads
      .filter((_, at) => at % 2 === 0)
      .flatMap((question) => /^(?:text|size) (.*)$/s.exec(question)?.[1] ?? [])
      .filter(has);

  const storedRecord = (place: PackPlace): StoredRecord => ({
    digest: place[3],
    read() {
      const record = packs.read(place);
      if (record) return record;
      rmSync(folder, { recursive: true, force: true });
      throw new OutdatedStoreError("A stored page is damaged.");
    },
  });

  const foundIn = (entry: StoreEntry, plan: PagePlan | undefined, isDocumentRight: boolean): StoredPage | undefined => {
    const { page, body, models, world } = entry;
    valid.set(page, entry);
    const found = { models, ...(body?.record ? { searchRecord: storedRecord(body.record) } : {}) };
    const isSameWorld = world === whole || (plan !== undefined && world === worlds.of(plan));
    if (isDocumentRight && isSameWorld && previous.take(entry.record.files)) {
      const isCurrent = entry.whole === whole && !entry.unused;
      lines.set(page, isCurrent ? entry : { ...entry, whole, ...(entry.unused ? { unused: 0 } : {}) });
      const inputs = inputsIn(entry.fileReads);
      return { ...found, inputs, record: { ...entry.record, inputs } };
    }
    const reads = entry.reads();
    return body && reads && { ...found, inputs: inputsIn(reads.body), body: body.at };
  };

  return {
    data,
    /** The words of the records. */
    search,
    /** Of long texts. */
    pieces,
    /** Equal for sites with the same plan, settings and base URL. */
    planKey: whole,
    /** @param plan absent for what the pages share. */
    find(page: string, plan?: PagePlan): StoredPage | undefined {
      for (const entry of entries.get(page) ?? []) {
        const right = isRight(entry, plan);
        if (right) return foundIn(entry, plan, right.document);
      }
      return undefined;
    },
    /** @param result without the files that are made of a page later. @param plan absent for what the pages share. */
    keep(page: string, { kept, models, ...result }: PageResult, plan?: PagePlan): void {
      if (kept === undefined) return;
      const { files, ids, anchorsWanted, external, diagnostics, stylesheets } = result;
      const before = kept.body ? undefined : valid.get(page);
      const body = kept.body ?? before?.body;
      const reads = { body: kept.body?.reads ?? before?.reads()?.body ?? [], document: kept.reads };
      made.add(page);
      const entry: StoreEntry = {
        page,
        whole,
        // A body without a document fits every frame.
        world: files.length === 0 ? "" : kept.showsOthers || plan === undefined ? whole : worlds.of(plan),
        ...(body ? { body: { at: body.at, ...(body.record ? { record: body.record } : {}) } } : {}),
        fileReads: fileReadsOf(reads),
        record: { files, ids, anchorsWanted, external, diagnostics, stylesheets },
        models: models.map(({ like: _, ...model }) => model),
        reads: () => reads,
      };
      lines.set(page, entry);
      if (kept.body) noted.add(entry);
    },
    /** Adds the pages that other machines have made. @param files folder with their packs and partial indexes. */
    takeOver(files: string): void {
      indexes.takeOver(files);
      // A pack may have grown.
      packs.close();
    },
    /** Adds the pages that this run has made since the last call, for a run that ends without a bundle. @param name see `writePartial`. */
    async savePartial(name: string): Promise<boolean> {
      const pages = [...made].map((page) => lines.get(page)!);
      made.clear();
      const isWritten = indexes.writePartial(name, pages);
      await shared?.sendPartial();
      return isWritten;
    },
    /** Call it before the bundle is put in its place. @throws {OutputReplacedError} if it has files of two bundles. */
    checkOutput(): void {
      if (!previous.isThere()) throw new OutputReplacedError("Another run has replaced the output.");
    },
    /** Call it once the bundle is in its place and the old one is gone. @param files all but the manifest. */
    async save(files: readonly BundleFile[]): Promise<OutputStates | undefined> {
      packs.close();
      const states = previous.keep(files);
      for (const [page, [entry]] of entries) {
        const unused = (entry?.unused ?? 0) + 1;
        if (entry && !lines.has(page) && unused <= mostUnused) lines.set(page, { ...entry, unused });
      }
      const before = packsOf([...entries.values()].flat());
      const kept = withMoved([...lines.values()], folder);
      const isAdded = indexes.replace(kept, shared === undefined);
      if (!isAdded) removeUnused(folder, new Set([...packsOf(kept), ...indexes.packsOfOthers()]), before);
      await pruneUnused(dirname(folder), [/^[0-9a-f]{16}$/]);
      await shared?.send();
      return states;
    },
  };
}

/** Those of files, each question once. */
function fileReadsOf({ body, document }: EntryReads): string[] {
  const found = new Map<string, string>();
  for (const reads of [body, document])
    for (let at = 0; at < reads.length; at += 2) if (isOfFiles(reads[at]!)) found.set(reads[at]!, reads[at + 1]!);
  return [...found].flat();
}

const packsOf = (entries: readonly StoreEntry[]) => new Set(entries.flatMap(placesOf).map(([pack]) => pack));

function withMoved(entries: readonly StoreEntry[], folder: string): readonly StoreEntry[] {
  const moved = compactPacks(folder, entries.flatMap(placesOf));
  if (moved.size === 0) return entries;
  return entries.map((entry) => {
    const { body } = entry;
    if (!body) return entry;
    const record = body.record && { record: moved.get(body.record) ?? body.record };
    return { ...entry, body: { ...body, at: moved.get(body.at) ?? body.at, ...record } };
  });
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

/** How often the pages of a run that goes on are sent. */
const everyMs = 500;

/** Brings the stored pages of other machines into `folder`. Undefined without a cache that is shared. */
async function fetchShared({ settings, onClose }: ExportRun, folder: string) {
  const { remoteCache: remote, signal } = settings;
  if (remote === undefined) return undefined;
  const shared = shareFolder({ root: folder, path: [], remote, under: basename(folder), signal });
  await shared.fetch();
  const timer = setInterval(() => void shared.sendPartial(), everyMs);
  onClose(() => clearInterval(timer));
  return shared;
}
