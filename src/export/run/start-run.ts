import type { FetchBytes } from "../../bundle/remote/index.js";
import type { PostJson } from "../../bundle/search/index.js";
import type { Connections } from "../../lib/fetch/index.js";
import { engineVersion } from "../../lib/package-root.js";
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from "../../lib/queue/worker-pool.js";
import type { MarkdownKind, ParseOutcome } from "../../page/content/index.js";
import { createDiagramRenderer } from "../../page/diagrams/diagram-renderer.js";
import { createDiagramWorker, type DiagramWorker } from "../../page/diagrams/worker-process.js";
import { createIslandWorker, type IslandWorker } from "../../page/islands/worker-process.js";
import type { FetchText } from "../../site/specs/index.js";
import type { ExportOptions } from "../export-options.js";
import type { PageResult, PageTask } from "../pages/thread-messages.js";
import { type OpenedRun, openRun } from "./open-run.js";

/** What every step of one export uses. */
export type ExportRun = ReturnType<typeof equipRun>;

/** @param given replaces parts of the default environment, for an export on behalf of another process */
export const startRun = async (options: ExportOptions, given?: Partial<ExportEnvironment>): Promise<ExportRun> =>
  equipRun(await openRun(options, given !== undefined), given);

/** Adds to a run what it needs to make pages. */
export function equipRun(run: OpenedRun, given?: Partial<ExportEnvironment>) {
  const machine = openEnvironment();
  const environment = { ...machine, ...given };
  const diagrams = createDiagramRenderer({
    cache: run.cache,
    version: engineVersion(),
    worker: environment.diagramWorker(),
  });
  run.onClose(() => diagrams.close());
  run.onClose(() => machine.close());
  let hasAskedNetwork = false;
  const noted =
    <Args extends unknown[], Answer>(fetch: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      hasAskedNetwork = true;
      return fetch(...args);
    };
  return {
    ...run,
    environment: {
      ...environment,
      fetchText: noted(environment.fetchText),
      fetchBytes: noted(environment.fetchBytes),
      postJson: noted(environment.postJson),
    },
    hasAskedNetwork: () => hasAskedNetwork,
    diagrams,
  };
}

/** What an export needs from outside of its process. A sandboxed process, without network or children, asks another one. */
export interface ExportEnvironment {
  /** Fetches API specifications. */
  readonly fetchText: FetchText;
  /** Fetches images, fonts, style sheets and videos. */
  readonly fetchBytes: FetchBytes;
  /** Asks the language model that the operator names. */
  readonly postJson: PostJson;
  /** Threads that make pages. */
  readonly pagePool: PagePool;
  /** Called before threads start. The library leaves the memory of its caller alone. */
  readonly freeMemory?: () => void;
  readonly diagramWorker: () => DiagramWorker;
  readonly islandWorker: () => IslandWorker;
  /** Parses in a separate process, on behalf of a process that may not start any; undefined if none can be started. */
  readonly parseMarkdown: (text: TextToParse) => Promise<ParseOutcome | undefined>;
  /** Lets other machines make some of the pages, if that saves time. @param missing estimate of the pages to make */
  readonly splitPages?: (missing: number, pages: number) => Promise<PageParts | undefined>;
}

export type PagePool = (options: WorkerPoolOptions) => WorkerPool<PageTask, PageResult>;

export interface TextToParse {
  readonly kind: MarkdownKind;
  readonly source: string;
}

/** Longest answer of a language model, in milliseconds. */
const modelMs = 5 * 60_000;

/** The environment of a process that may do everything itself. Loads the fetcher on first use, since few sites need it. */
export function openEnvironment(): ExportEnvironment & { close(): void } {
  let connections: Connections | undefined;
  return {
    async fetchText(url, signal) {
      const { guardedFetch } = await import("../../lib/fetch/index.js");
      return guardedFetch(url, {}, signal);
    },
    async fetchBytes(url, limits, signal) {
      const { Connections, guardedBytes } = await import("../../lib/fetch/index.js");
      connections ??= new Connections();
      return guardedBytes(url, { ...limits, connections }, signal);
    },
    async postJson(url, headers, body, signal) {
      const { guardedFetch } = await import("../../lib/fetch/index.js");
      return guardedFetch(url, { method: "POST", headers, body, allowPrivate: true, timeoutMs: modelMs }, signal);
    },
    pagePool: createWorkerPool,
    diagramWorker: createDiagramWorker,
    islandWorker: createIslandWorker,
    parseMarkdown: async () => undefined,
    close: () => connections?.destroy(),
  };
}

/** The pages of a site in parts, which several machines make. */
export interface PageParts {
  readonly count: number;
  /** The next part, for the machine that puts the site together; undefined if it must make the remaining pages itself. */
  next(): Promise<PagePart | undefined>;
}

export interface PagePart {
  /** From 1 to `count`. */
  readonly index: number;
  /** Folder with the stored pages of the part, if another machine has made them. */
  readonly files?: string | undefined;
}
