import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { BundleFile } from "../../bundle/archive/index.js";
import { copyStaticFiles } from "../../bundle/assets/static-files.js";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { lazy } from "../../lib/memo.js";
import { builtFile } from "../../lib/package-root.js";
import { createWorkerPool } from "../../lib/queue/worker-pool.js";
import { createFrontmatterParser } from "../../page/content/index.js";
import { type FileScan, hasSamePlan, scanFile } from "../../site/discover/index.js";
import type { Site } from "../../site/site.js";
import { type FileTexts, openListedFolder, type SiteFiles } from "../../site/source/index.js";
import type { FetchText } from "../../site/specs/index.js";
import type { CheckOptions } from "../export-options.js";
import { lostPage } from "../pages/render-pages.js";
import type { PageResult, PageTask, PageThreadData, StartTask } from "../pages/thread-messages.js";
import { openSource } from "../store/source-files.js";
import { type BegunBundle, beginBundle } from "./begin-bundle.js";
import { makePages, pageThreads } from "./make-pages.js";
import { readSite } from "./read-site.js";
import { type ExportRun, openEnvironment, startRun } from "./start-run.js";
import { writeOutputs } from "./write-outputs.js";

interface SessionOptions extends Pick<CheckOptions, "source" | "cacheFolder" | "audience"> {
  /** The texts of open editors; see `FileTexts`. They may change before each update. */
  readonly texts?: FileTexts | undefined;
  /** Stops reading the site. */
  readonly signal?: AbortSignal | undefined;
}

/** What a change of files means for the pages. */
export type SiteChange =
  /** The files do not belong to the site. */
  | { readonly kind: "none" }
  /** Only pages with these source paths have changed. */
  | { readonly kind: "pages"; readonly sourcePaths: ReadonlySet<string> }
  /** Any page may have changed. */
  | { readonly kind: "plan" }
  /** The site cannot be read: an earlier plan stays in use. Pages with these source paths have changed. */
  | { readonly kind: "failed"; readonly sourcePaths: ReadonlySet<string> };

/** A site whose pages are made one by one, again and again, while its files change. */
export interface SiteSession {
  /** Undefined until the site can be read. */
  plan(): SessionPlan | undefined;
  /** Diagnostics of the current settings, navigation and front matter. */
  diagnostics(): readonly Diagnostic[];
  /** Absolute folder of the files that were made. */
  readonly folder: string;
  /** Reads the site again; one call at a time. @param paths what may have changed; undefined: anything. */
  update(paths: Iterable<string> | undefined): Promise<SiteChange>;
  /** Makes a page of the current plan and writes its files into `folder`. */
  make(task: PageTask): Promise<PageResult>;
  /** Copies one static file into `folder`; undefined if it is refused. */
  copy(sourcePath: string): Promise<BundleFile | undefined>;
  /** Makes every page, and what needs all of them, such as the search index. Returns the files of the whole site. */
  complete(): Promise<readonly BundleFile[]>;
  /** Ends threads and processes, and removes what has been written. */
  close(): Promise<void>;
}

/** The plan of the site, and what its pages are made with. */
export interface SessionPlan {
  readonly site: Site;
  readonly files: SiteFiles;
  readonly bundle: BegunBundle;
  readonly threads: ReturnType<typeof pageThreads>;
  /** Names of imported files without folder and extension: `install` for `/snippets/install.mdx`. */
  readonly importNames: ReadonlySet<string>;
}

type Scans = Map<string, FileScan>;

/** Milliseconds to wait for a missing file, since some editors delete a file before they write the new one. */
const replacingMs = 60;

/** Starts a thread, and reads the site for the first time. @throws {Error} of the file system */
export async function openSiteSession({ texts, ...options }: SessionOptions): Promise<SiteSession> {
  const environment = openEnvironment();
  const run = await startRun({ ...options, output: "memory" }, { fetchText: rememberTexts(environment.fetchText) });
  const staging = run.staging!;
  let scans: Scans = new Map();
  let plan: SessionPlan | undefined;
  let diagnostics: readonly Diagnostic[] = [];
  /** Aborts `complete` at the next change, so that the files of the whole site show one state of it. */
  let nextChange = new AbortController();
  let isClosed = false;
  const pool = createWorkerPool<PageTask | StartTask, PageResult | undefined>({
    script: pathToFileURL(builtFile("page-thread.js")),
    workerData: undefined,
    size: 1,
    deadlineMs: run.settings.pageTimeoutMs,
    onCall: async (name, argument) => plan!.threads.onCall(name, argument),
  });
  const startThread = (data?: PageThreadData) => pool.run({ kind: "start", ...(data && { data }), texts });
  // The thread loads its modules while the site is read.
  startThread().catch(() => {});

  /** @param unchanged scans of files that have not changed */
  const replan = async (unchanged: Scans, changed: readonly string[] = []): Promise<SiteChange> => {
    const before = plan;
    let nextScans = unchanged;
    let next = await planSession(run, nextScans, texts);
    // Front matter uses variables.
    const hasOtherVariables = !isDeepStrictEqual(next.plan?.site.config.variables, before?.site.config.variables);
    if (next.plan && before && hasOtherVariables) {
      nextScans = new Map();
      next = await planSession(run, nextScans, texts);
    }
    diagnostics = next.diagnostics;
    if (!next.plan) {
      await startThread();
      return { kind: "failed", sourcePaths: new Set(changed) };
    }
    plan = next.plan;
    scans = nextScans;
    await startThread(plan.threads.data);
    await before?.threads.islands.close();
    return { kind: "plan" };
  };

  /** Whether the page's file, with its current content, affects no other page. */
  const concernsOnePage = (path: string, { site, files, importNames }: SessionPlan): boolean => {
    const before = scans.get(path);
    if (!before?.frontmatter || importNames.has(importNameOf(path))) return false;
    // Open the folder again, since `files` returns the text of the first read.
    const now = scanFile(
      openListedFolder(files.root, [path], texts),
      path,
      createFrontmatterParser(site.config.variables),
    );
    return hasSamePlan(before, now, new Set(site.classNames));
  };

  const session: SiteSession = {
    plan: () => plan,
    diagnostics: () => diagnostics,
    folder: staging.folder,
    async update(paths) {
      nextChange.abort();
      if (paths === undefined || !plan) return replan(new Map());
      const { files } = plan;
      const exists = (path: string) => statSync(join(files.root, path), { throwIfNoEntry: false }) !== undefined;
      if ([...paths].some((path) => files.has(path) && !exists(path))) await sleep(replacingMs);
      const changed = inSite(run, files, [...paths]);
      if (changed.length === 0) return { kind: "none" };
      if (changed.every((path) => files.has(path) && exists(path) && concernsOnePage(path, plan!))) {
        await startThread();
        return { kind: "pages", sourcePaths: new Set(changed) };
      }
      const unchanged = new Map(scans);
      for (const path of changed) unchanged.delete(path);
      return replan(unchanged, changed.filter(exists));
    },
    async make(task) {
      const { pages } = plan!.site;
      const index = task.kind === "page" ? task.index : task.kind === "model" ? task.model.sibling : 0;
      const { sourcePath } = pages[index]!;
      const attempt = async () => {
        const outcome = await pool.run(task);
        if (!outcome.ok || outcome.result !== undefined) return outcome;
        await startThread(plan!.threads.data);
        return pool.run(task);
      };
      let outcome = await attempt();
      if (!outcome.ok && outcome.lost === "deadline") outcome = await attempt();
      if (!outcome.ok && task.kind !== "shared") {
        const lost = lostPage(sourcePath, outcome);
        await startThread(plan!.threads.data);
        outcome = await pool.run({ ...task, lost });
      }
      if (!outcome.ok || !outcome.result) throw new Error(`${sourcePath} could not be made.`);
      return outcome.result;
    },
    async copy(sourcePath) {
      const { files } = await copyStaticFiles([sourcePath], plan!.bundle.siteFiles, staging.folder);
      return files[0];
    },
    async complete() {
      for (;;) {
        nextChange = new AbortController();
        const { signal } = nextChange;
        try {
          return await makeSite(run, plan!, signal);
        } catch (error) {
          if (!signal.aborted || isClosed) throw error;
        }
      }
    },
    async close() {
      isClosed = true;
      nextChange.abort();
      await pool.close();
      await plan?.threads.islands.close();
      await run.close();
      environment.close();
    },
  };

  try {
    await replan(scans);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** Reads the site. `plan` is undefined if there is no site, no configuration that can be read, or no page. */
async function planSession(
  run: ExportRun,
  scans: Scans,
  texts: FileTexts | undefined,
): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly plan?: SessionPlan }> {
  const { site, files, diagnostics } = await readSite(run, openSource(run, texts), { scans, drafts: true });
  if (!site) return { diagnostics };
  // `SiteSession.copy` copies static files on request.
  const bundle = await beginBundle(run, site, files, { copiesFiles: false });
  const { data, ...threads } = pageThreads(run, bundle);
  const imports = [...scans.values()].flatMap((scan) => [...scan.imports, ...scan.snippetFiles]);
  const importNames = new Set(imports.map(importNameOf));
  return {
    diagnostics: [...diagnostics, ...bundle.diagnostics],
    // Without a scratch folder, pages write no search records; `complete` writes those of all pages.
    plan: { site, files, bundle, threads: { ...threads, data: { ...data, scratch: undefined } }, importNames },
  };
}

/** `install` of `/snippets/install.mdx`. */
const importNameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");

/** The paths that belong or belonged to the site, as a file or a folder of files. */
function inSite(run: ExportRun, before: SiteFiles, paths: readonly string[]): string[] {
  const isIn = (files: readonly string[], path: string): boolean =>
    files.some((file) => file === path || file.startsWith(`${path}/`));
  const now = lazy(() => openSource(run).paths);
  const isRule = (path: string): boolean => path === ".mintignore";
  return paths.filter(
    (path) => isRule(path) || isIn(before.paths, path) || (!ofEditor.test(path) && isIn(now(), path)),
  );
}

/** Temporary files that editors write next to a file while they save it. */
const ofEditor = /(?:~|#|\.tmp|\.sw[a-z]|\.crswap)$|(?:^|\/)4913$/;

/** Makes every page of a plan in new threads, then the files of the whole site, which it returns. */
async function makeSite(run: ExportRun, { bundle }: SessionPlan, signal: AbortSignal): Promise<readonly BundleFile[]> {
  const cleanUps: (() => void | Promise<void>)[] = [];
  // Use no page store: it has the pages of exports, which have no drafts.
  const settings = { ...run.settings, signal, cacheFolder: undefined };
  const ownRun: ExportRun = { ...run, settings, onClose: (cleanUp) => void cleanUps.push(cleanUp) };
  try {
    const pages = await makePages(ownRun, bundle);
    return await writeOutputs(ownRun, { ...bundle, outputs: bundle.outputsAgain() }, pages);
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}

/** Milliseconds after which a text that could not be fetched is requested again. */
const retryMs = 60_000;

/** Fetches each text once, so that a site that is read again and again does not wait for the network. */
function rememberTexts(fetchText: FetchText): FetchText {
  const fetched = new Map<string, { readonly answer: ReturnType<FetchText>; readonly at: number; failed: boolean }>();
  return (url, signal) => {
    const before = fetched.get(url);
    if (before && (!before.failed || performance.now() - before.at < retryMs)) return before.answer;
    const entry = { answer: fetchText(url, signal), at: performance.now(), failed: false };
    const note = (failed: boolean): void => {
      entry.failed = failed;
    };
    entry.answer.then(
      ({ ok }) => note(!ok),
      () => note(true),
    );
    fetched.set(url, entry);
    return entry.answer;
  };
}
