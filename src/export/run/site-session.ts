import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { BundleFile } from "../../bundle/archive/index.js";
import { copyStaticFiles } from "../../bundle/assets/index.js";
import { createIndexer } from "../../bundle/search/index.js";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";
import { builtFile } from "../../lib/package-root.js";
import { createWorkerPool } from "../../lib/queue/index.js";
import { createFrontmatterParser } from "../../page/content/index.js";
import { type FileScan, hasSamePlan, scanFile } from "../../site/discover/index.js";
import { pageProducts } from "../../site/site.js";
import { openListedFolder, type SiteFiles } from "../../site/source/index.js";
import type { FetchText } from "../../site/specs/index.js";
import { createPublishedModels, type ModelTask } from "../pages/api-pages.js";
import { lostPage } from "../pages/render-pages.js";
import type { SessionResult, SessionTask } from "../pages/session-thread.js";
import type { PageResult, PageTask, PageThreadData } from "../pages/thread-messages.js";
import { openRealWorld, type TextToParse } from "./outside-world.js";
import { openSite } from "./read-site.js";
import { importNameOf, planSession, type SessionPlan } from "./session-plan.js";
import { type ExportRun, startRun } from "./start-run.js";
import { writeOutputs } from "./write-outputs.js";

interface SessionOptions {
  /** Folder that holds docs.json or mint.json. */
  readonly source: string;
  readonly cacheFolder?: string | undefined;
  /** See `CheckOptions`. */
  readonly audience?: readonly string[] | undefined;
  /** Stops reading the site. */
  readonly signal?: AbortSignal | undefined;
}

/** What a change of files means for the pages. */
export type SiteChange =
  /** The files do not belong to the site. */
  | { readonly kind: "none" }
  /** Only pages with these source paths. */
  | { readonly kind: "pages"; readonly sourcePaths: ReadonlySet<string> }
  /** Any page may be another one. */
  | { readonly kind: "plan" }
  /** The site cannot be read: the last plan stays, if there was one. Pages with these source paths have changed. */
  | { readonly kind: "failed"; readonly sourcePaths: ReadonlySet<string> };

/** A site whose pages are made one by one, again and again, while its files change. */
export interface SiteSession {
  /** Undefined until the site can be read. */
  plan(): SessionPlan | undefined;
  /** Of settings, navigation and front matter, as they are now. */
  diagnostics(): readonly Diagnostic[];
  /** Absolute; contains what has been made. */
  readonly folder: string;
  /**
   * To be called after files have changed; one call at a time.
   *
   * @param paths source paths of what may have changed; undefined: anything
   */
  update(paths: Iterable<string> | undefined): Promise<SiteChange>;
  /** Makes a page of the current plan and writes its files into `folder`. */
  make(task: PageTask): Promise<PageResult>;
  /** Copies one static file into `folder`; undefined if it is refused. */
  copy(sourcePath: string): Promise<BundleFile | undefined>;
  /** Makes every page, and what needs all of them, such as the search index. Gives the files of the whole site. */
  complete(): Promise<readonly BundleFile[]>;
  /** Ends threads and processes, and removes what has been written. */
  close(): Promise<void>;
}

/** An editor that replaces a file removes the old one first. */
const replacingMs = 60;

/** Starts a thread, and reads the site for the first time. @throws {Error} of the file system. */
export async function openSiteSession({ source, cacheFolder, audience, signal }: SessionOptions): Promise<SiteSession> {
  const outside = openRealWorld();
  const run = await startRun(
    { source, output: "memory", cacheFolder, audience, signal },
    { fetchText: rememberTexts(outside.fetchText) },
  );
  const staging = run.staging!;
  let scans = new Map<string, FileScan>();
  let plan: SessionPlan | undefined;
  let diagnostics: readonly Diagnostic[] = [];
  /** Counts changes, so that what has begun before one is not kept. */
  let generation = 0;
  const pool = createWorkerPool<SessionTask, SessionResult>({
    script: pathToFileURL(builtFile("session-thread.js")),
    workerData: undefined,
    size: 1,
    deadlineMs: run.settings.pageTimeoutMs,
    onCall: async (name, argument) =>
      name === "islands"
        ? plan!.islands.render(argument as Parameters<SessionPlan["islands"]["render"]>[0])
        : name === "markdown"
          ? run.parseMarkdown(argument as TextToParse)
          : run.diagrams.draw(argument as Parameters<typeof run.diagrams.draw>[0]),
  });
  let records = false;
  const startThread = (data?: PageThreadData) => pool.run({ kind: "start", records, ...(data && { data }) });
  // The thread loads its modules while the site is read.
  startThread().catch(() => {});

  /** @param scanned scans of files that have not changed */
  const replan = async (scanned: Map<string, FileScan>, named: readonly string[] = []): Promise<SiteChange> => {
    const before = plan;
    let known = scanned;
    let read = await planSession(run, known);
    // Front matter uses them.
    const usesOthers = !isDeepStrictEqual(read.plan?.site.config.variables, before?.site.config.variables);
    if (read.plan && before && usesOthers) {
      known = new Map();
      read = await planSession(run, known);
    }
    diagnostics = read.diagnostics;
    if (!read.plan) {
      await startThread();
      return { kind: "failed", sourcePaths: new Set(named) };
    }
    plan = read.plan;
    scans = known;
    await startThread(plan.data);
    await before?.islands.close();
    return { kind: "plan" };
  };

  /** Whether the page's file, as it is now, has no effect on any other page. */
  const concernsOnePage = (path: string, { site, files, importNames }: SessionPlan): boolean => {
    const before = scans.get(path);
    if (!before?.frontmatter || importNames.has(importNameOf(path))) return false;
    // Files that are opened once keep the text that they read last.
    const now = scanFile(openListedFolder(files.root, [path]), path, createFrontmatterParser(site.config.variables));
    return hasSamePlan(before, now, new Set(site.classNames));
  };

  const session: SiteSession = {
    plan: () => plan,
    diagnostics: () => diagnostics,
    folder: staging.folder,
    async update(paths) {
      generation++;
      if (paths === undefined || !plan) return replan(new Map());
      const { files } = plan;
      const stateOf = (path: string) => statSync(join(files.root, path), { throwIfNoEntry: false });
      if ([...paths].some((path) => files.has(path) && !stateOf(path))) await sleep(replacingMs);
      const named = inSite(run, files, [...paths]);
      if (named.length === 0) return { kind: "none" };
      if (named.every((path) => files.has(path) && stateOf(path) && concernsOnePage(path, plan!))) {
        await startThread();
        return { kind: "pages", sourcePaths: new Set(named) };
      }
      const known = new Map(scans);
      for (const path of named) known.delete(path);
      return replan(
        known,
        named.filter((path) => stateOf(path)),
      );
    },
    async make(task) {
      const { site } = plan!;
      const sourcePath =
        site.pages[task.kind === "page" ? task.index : task.kind === "model" ? task.model.like : 0]!.sourcePath;
      const attempt = async () => {
        const outcome = await pool.run(task);
        if (!outcome.ok || outcome.result !== undefined) return outcome;
        await startThread(plan!.data);
        return pool.run(task);
      };
      let outcome = await attempt();
      if (!outcome.ok && outcome.lost === "deadline") outcome = await attempt();
      if (!outcome.ok && task.kind !== "shared") {
        const lost = lostPage(sourcePath, outcome);
        await startThread(plan!.data);
        outcome = await pool.run({ ...task, lost });
      }
      if (!outcome.ok || !outcome.result) throw new Error(`${sourcePath} could not be made.`);
      return outcome.result;
    },
    async copy(sourcePath) {
      const { files } = await copyStaticFiles([sourcePath], plan!.files, staging.folder);
      return files[0];
    },
    async complete() {
      for (;;) {
        const started = generation;
        records = true;
        await startThread();
        try {
          const made = await makeAll(session, () => generation === started);
          if (made) return await writeRest(made);
        } finally {
          records = false;
          await startThread();
        }
      }
    },
    async close() {
      await pool.close();
      await plan?.islands.close();
      await run.close();
      outside.close();
    },
  };

  const writeRest = async ({ pages, shared, models }: AllPages): Promise<readonly BundleFile[]> => {
    const { site, bundle } = plan!;
    const { scopes, write } = bundle;
    const indexer = createIndexer({ scopes, products: pageProducts(site), folder: staging.scratch, write });
    try {
      const published = createPublishedModels(site);
      for (const [index, { searchRecord, models }] of pages.entries()) {
        indexer.take(index, searchRecord);
        published.addPage(index, models);
      }
      for (const [model, { searchRecord, models: next }] of models) {
        indexer.add(model.like, searchRecord);
        published.addModel(model, next);
      }
      const records = [...pages, shared, ...[...models.values()]];
      return await writeOutputs(
        run,
        { ...bundle, outputs: bundle.outputsAgain() },
        { records, indexer, models: published.plans() },
      );
    } finally {
      indexer.close();
    }
  };

  try {
    await replan(scans);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** Those of the paths that belong to the site, or did, as a file or a folder of files. */
function inSite(run: ExportRun, before: SiteFiles, paths: readonly string[]): string[] {
  const isIn = ({ has, paths: files }: SiteFiles, path: string): boolean =>
    has(path) || files.some((file) => file.startsWith(`${path}/`));
  const now = lazy(() => openSite(run).files);
  const isRule = (path: string): boolean => path === ".mintignore";
  return paths.filter((path) => isRule(path) || isIn(before, path) || (!ofEditor.test(path) && isIn(now(), path)));
}

/** What editors write next to a file while they save it. */
const ofEditor = /(?:~|#|\.tmp|\.sw[a-z]|\.crswap)$|(?:^|\/)4913$/;

interface AllPages {
  readonly pages: readonly PageResult[];
  readonly shared: PageResult;
  readonly models: ReadonlyMap<ModelTask, PageResult>;
}

/** Undefined if the site changes meanwhile. */
async function makeAll(session: SiteSession, isCurrent: () => boolean): Promise<AllPages | undefined> {
  const pages: PageResult[] = [];
  const models = new Map<ModelTask, PageResult>();
  const known = new Map<string, ModelTask>();
  const note = (result: PageResult): PageResult => {
    for (const model of result.models) if (!known.has(model.outputPath)) known.set(model.outputPath, model);
    return result;
  };
  for (const { index } of session.plan()!.site.pages) {
    if (!isCurrent()) return undefined;
    pages.push(note(await session.make({ kind: "page", index })));
  }
  const shared = await session.make({ kind: "shared" });
  // The map grows while it is read: models refer to others.
  for (const model of known.values()) {
    if (!isCurrent()) return undefined;
    models.set(model, note(await session.make({ kind: "model", model })));
  }
  return isCurrent() ? { pages, shared, models } : undefined;
}

/** How long a text that could not be fetched is not asked for again. */
const retryMs = 60_000;

/** Fetches each text once: a site that is read again and again does not wait for the network. */
function rememberTexts(fetchText: FetchText): FetchText {
  const known = new Map<string, { readonly answer: ReturnType<FetchText>; readonly at: number; failed: boolean }>();
  return (url, signal) => {
    const before = known.get(url);
    if (before && (!before.failed || performance.now() - before.at < retryMs)) return before.answer;
    const entry = { answer: fetchText(url, signal), at: performance.now(), failed: false };
    entry.answer.then(
      ({ ok }) => {
        entry.failed = !ok;
      },
      () => {
        entry.failed = true;
      },
    );
    known.set(url, entry);
    return entry.answer;
  };
}
