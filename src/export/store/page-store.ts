import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { type BundleFile, OutputReplacedError } from "../../bundle/archive/index.js";
import { openIndexCache, type StoredRecord } from "../../bundle/search/index.js";
import { createPackReader, type PackPlace, pruneUnused, shareFolder } from "../../lib/cache/index.js";
import type { PagePlan } from "../../site/site.js";
import type { PageRecord, PageResult, PageThreadData } from "../pages/thread-messages.js";
import type { ExportRun } from "../run/start-run.js";
import { openOutputRecord } from "./output-record.js";
import {
  type EntryReads,
  OutdatedStoreError,
  openPageIndex,
  type PageEntry,
  type PageIndex,
  storeFolderOf,
} from "./page-index.js";
import { createAnswers, isChangeable, isOfFiles } from "./page-reads.js";
import { siteHashes, textsOfPage } from "./plan-hashes.js";
import { openPreviousOutput } from "./previous-output.js";
import type { TrackedFiles } from "./source-files.js";

/** A page of an earlier export that can be reused, or whose body can. */
export interface StoredPage {
  /** The body, if its document must be made again: the frame has changed, or the files are not in the previous output. */
  readonly body?: PackPlace;
  /** Files of the body that the previous output has. */
  readonly files?: readonly BundleFile[];
  /** The whole page; its files are in the bundle already. Undefined if only the body can be reused. */
  readonly record?: PageRecord;
  readonly models: PageEntry["models"];
  readonly searchRecord?: StoredRecord;
  /** Files that the page has read. */
  readonly inputs: readonly string[];
}

/** An entry is removed after this many exports without its page. Exports of another branch, or of some pages, lack pages too. */
const maxExportsUnused = 8;

export type PageStore = Awaited<ReturnType<typeof openPageStore>>;

/** The outputs of earlier exports with all that was read for them. Undefined without a cache, and for a check. */
export async function openPageStore(run: ExportRun, threadData: PageThreadData, { textHashes, has }: TrackedFiles) {
  const { staging } = run;
  const { cacheFolder, cacheName = threadData.root } = run.settings;
  if (cacheFolder === undefined || staging === undefined) return undefined;
  const folder = storeFolderOf(cacheFolder, cacheName);
  const shared = await shareStore(run, folder);
  const data = { ...threadData, packs: folder };
  const hashes = siteHashes(data);
  const { whole } = hashes;
  const areSame = await createAnswers(data, hashes.settings, textHashes);
  const output = openOutputRecord(folder, staging, run.settings.verify);
  const previous = openPreviousOutput(folder, output, staging);
  const packs = createPackReader(folder);
  const search = openIndexCache({ folder, takeFile: (file) => previous.take([file]) });
  const index = openPageIndex(folder);
  const { entries } = index;
  const savePages = saveWhileRunning(index);
  /** Entries of the pages of this run. */
  const current = new Map<string, PageEntry>();
  /** Entries whose bodies are reused. */
  const reused = new Map<string, PageEntry>();
  /** Pages made since the last call of `savePartial`. */
  const unsaved = new Set<string>();

  /** Whether the plan of a page is the same, apart from the texts of other pages. */
  const isAsPlanned = ({ site, texts }: PageEntry, plan: PagePlan | undefined): boolean =>
    site === hashes.withoutTexts && textsOfPage(plan).every((text, at) => text === texts[at]);

  /** Undefined if the body must be made again. Otherwise whether the document is still valid, as far as files decide. */
  const validity = (entry: PageEntry, plan: PagePlan | undefined) => {
    const { body } = entry;
    // Notice a damaged record before it is needed.
    if (body?.record && !search.has(body.record[3]) && packs.read(body.record) === undefined) return undefined;
    if (isAsPlanned(entry, plan) && areSame(entry.changeable, isChangeable)) return { document: true };
    try {
      const reads = entry.reads();
      if (!reads) return undefined;
      if (body && !areSame(reads.body, () => true, plan)) return undefined;
      return { document: areSame(reads.document, isOfFiles) };
    } catch {
      // Another version wrote the index: its questions have another form.
      return undefined;
    }
  };

  /** Files that were read. The size of a missing one may have been asked for, too. */
  const inputsIn = (reads: readonly string[]): string[] => {
    const inputs: string[] = [];
    for (let at = 0; at < reads.length; at += 2)
      if (/^(?:text|size) /.test(reads[at]!)) inputs.push(reads[at]!.slice("text ".length));
    return inputs.filter(has);
  };

  const searchRecordAt = (place: PackPlace): StoredRecord => ({
    digest: place[3],
    read() {
      const record = packs.read(place);
      if (record) return record;
      rmSync(folder, { recursive: true, force: true });
      throw new OutdatedStoreError("A stored page is damaged.");
    },
  });

  const reuse = (entry: PageEntry, plan: PagePlan | undefined, isDocumentValid: boolean): StoredPage | undefined => {
    const { page, body, models, frame } = entry;
    reused.set(page, entry);
    const stored = { models, ...(body?.record && { searchRecord: searchRecordAt(body.record) }) };
    const isSameFrame = frame === whole || (plan !== undefined && frame === hashes.of(plan));
    if (isDocumentValid && isSameFrame && previous.take(entry.record.files)) {
      const isCurrent = isAsPlanned(entry, plan) && !entry.unused;
      const used = { site: hashes.withoutTexts, texts: textsOfPage(plan), ...(entry.unused && { unused: 0 }) };
      current.set(page, isCurrent ? entry : { ...entry, ...used });
      const inputs = inputsIn(entry.changeable);
      return { ...stored, inputs, record: { ...entry.record, inputs } };
    }
    const reads = entry.reads();
    return body && reads && { ...stored, inputs: inputsIn(reads.body), body: body.at, files: filesOfBody(entry) };
  };

  /** The files that the previous output has. Only the document of a page depends on more than its body. */
  const filesOfBody = ({ page, record }: PageEntry): BundleFile[] =>
    record.files.filter((file) => file.path !== page && previous.has(file));

  return {
    data,
    /** The words of the search records. */
    search,
    /** Parts of long texts. */
    parts: previous.parts,
    /** Equal for sites with the same plan, settings and base URL. */
    planKey: whole,
    /** @param plan absent for what the pages share */
    find(page: string, plan?: PagePlan): StoredPage | undefined {
      for (const entry of entries.get(page) ?? []) {
        const valid = validity(entry, plan);
        if (valid) return reuse(entry, plan, valid.document);
      }
      return undefined;
    },
    /** @param plan absent for what the pages share */
    put(page: string, { record, models, toStore, isReused }: PageResult, plan?: PagePlan): void {
      const entryOfBody = isReused ? reused.get(page) : undefined;
      const paths = new Set(record.files.map(({ path }) => path));
      const notWritten = entryOfBody ? filesOfBody(entryOfBody).filter(({ path }) => paths.has(path)) : [];
      if (notWritten.length > 0 && !previous.take(notWritten))
        throw new OutputReplacedError("Files of the output have changed meanwhile.");
      if (toStore === undefined) return;
      const before = toStore.body ? undefined : reused.get(page);
      const body = toStore.body ?? before?.body;
      const reads = { body: toStore.body?.reads ?? before?.reads()?.body ?? [], document: toStore.reads };
      const { inputs: _, ...stored } = record;
      const entry: PageEntry = {
        page,
        site: hashes.withoutTexts,
        texts: textsOfPage(plan),
        // A body without a document is valid with any frame.
        frame: record.files.length === 0 ? "" : toStore.showsOthers || plan === undefined ? whole : hashes.of(plan),
        ...(body && { body: { at: body.at, ...(body.record && { record: body.record }) } }),
        changeable: changeableOf(reads),
        record: stored,
        models: models.map(({ sibling: _, ...model }) => model),
        reads: () => reads,
      };
      unsaved.add(page);
      current.set(page, entry);
      if (toStore.body) savePages(entry);
    },
    /** Adds a file to a page that was found, or put, in this run. @param file undefined: takes it away */
    setFile(page: string, path: string, file: BundleFile | undefined): void {
      const entry = current.get(page);
      if (!entry) return;
      const others = entry.record.files.filter((other) => other.path !== path);
      current.set(page, { ...entry, record: { ...entry.record, files: file ? [...others, file] : others } });
    },
    /** Adds the pages that other machines have made. @param files folder with their packs and partial indexes */
    takeOver: index.takeOver,
    /** Adds the pages made since the last call, without a bundle. @param name see `PageIndex.writePartial`. */
    async savePartial(name: string): Promise<boolean> {
      const pages = [...unsaved].map((page) => current.get(page)!);
      unsaved.clear();
      const isWritten = index.writePartial(name, pages);
      await shared?.sendPartial();
      return isWritten;
    },
    /** Call it before the bundle is put in its place. @throws {OutputReplacedError} if it has files of two bundles */
    checkOutput(): void {
      if (!previous.isThere()) throw new OutputReplacedError("Another run has replaced the output.");
    },
    /**
     * Call it once the bundle is in its place and the old one is gone. Returns the `id` of its record; empty without an
     * output folder.
     *
     * @param files all but the manifest
     */
    async save(files: readonly BundleFile[]): Promise<string> {
      packs.close();
      for (const [page, [entry]] of entries) {
        const unused = (entry?.unused ?? 0) + 1;
        if (entry && !current.has(page) && unused <= maxExportsUnused) current.set(page, { ...entry, unused });
      }
      index.save([...current.values()], shared === undefined);
      await pruneUnused(dirname(folder), [/^[0-9a-f]{16}$/]);
      // As late as possible: a folder that has just changed can change again within the same clock tick.
      const id = previous.save(files) ?? "";
      await shared?.send();
      return id;
    },
  };
}

/** The questions whose answers may change, each once. */
function changeableOf({ body, document }: EntryReads): string[] {
  const changeable = new Map<string, string>();
  for (const reads of [body, document])
    for (let at = 0; at < reads.length; at += 2)
      if (isChangeable(reads[at]!)) changeable.set(reads[at]!, reads[at + 1]!);
  return [...changeable].flat();
}

/** How often the pages of a run that goes on are sent to other machines. */
const sendMs = 500;

/** Brings the stored pages of other machines into `folder`. Undefined without a cache that is shared. */
async function shareStore({ settings, onClose }: ExportRun, folder: string) {
  const { remoteCache: remote, signal } = settings;
  if (remote === undefined) return undefined;
  const shared = shareFolder({ root: folder, path: [], remote, under: basename(folder), signal });
  await shared.fetch();
  const timer = setInterval(() => void shared.sendPartial(), sendMs);
  onClose(() => clearInterval(timer));
  return shared;
}

const firstSaveMs = 500;
const longestSaveMs = 10_000;

/** Puts new pages into partial indexes while the run goes on: if it is killed, the next one makes only the rest. */
function saveWhileRunning(index: PageIndex): (page: PageEntry) => void {
  let waitMs = firstSaveMs;
  let next = performance.now() + waitMs;
  let pages: PageEntry[] = [];
  return (page) => {
    pages.push(page);
    const now = performance.now();
    if (now < next) return;
    index.writePartial(randomBytes(8).toString("hex"), pages);
    pages = [];
    waitMs = Math.min(longestSaveMs, waitMs * 2);
    next = now + waitMs;
  };
}
