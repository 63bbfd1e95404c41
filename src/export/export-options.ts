import type { ArchiveResult, Manifest } from "../bundle/archive/index.js";
import type { QuestionModel, QuestionUsage } from "../bundle/search/index.js";
import type { RemoteStore } from "../lib/cache/index.js";
import type { Deployment } from "../lib/deployments.js";
import type { Diagnostic } from "../lib/diagnostic/index.js";
import type { ExternalUse } from "../page/render/index.js";

export type { Deployment, QuestionModel, QuestionUsage };

/** The assistant that answers the questions of readers: a service with `offprint service`, or another with its routes. */
export interface AssistantOptions {
  /** Address of the service: `https://docs-api.example.com`. Browsers send it the questions. */
  readonly url: string;
  /** Its public key, which begins with `svc_dsc_`. Everyone can read it in the pages. */
  readonly key: string;
  /** The site's identifier or host, as the service knows it. Default: the host of the site's address. */
  readonly domain?: string | undefined;
  /** Offered to readers who have not asked anything yet; at most 6. Default: questions about the page. */
  readonly questions?: readonly string[] | undefined;
}

/** Counts page views on hosts that do not run Offprint: each page reports its views to a service, `offprint service`. */
export interface AnalyticsOptions {
  /** Address of the service: `https://docs-api.example.com`. Browsers send it the paths of pages. */
  readonly url: string;
  /** The site's domain, as the service knows it. Default: the host of the site's address. */
  readonly domain?: string | undefined;
  /** Also send what readers search for, and which result they open. Default: no. */
  readonly searches?: boolean | undefined;
}

/** Options of both `exportSite` and `checkSite`. */
export interface CheckOptions {
  /** Folder that holds docs.json or mint.json; absolute, or relative to the working directory. */
  readonly source: string;
  readonly deployment?: Deployment | undefined;
  /** Address of the published site, for canonical links, sitemap and feeds: `https://docs.acme.com/guide`. */
  readonly baseUrl?: string | undefined;
  /** Used if neither `baseUrl` nor the site's `seo.metatags.canonical` names an address. */
  readonly fallbackBaseUrl?: string | undefined;
  /**
   * Fetch the images, fonts, style sheets and videos that pages load from other hosts, and put copies into the bundle. What
   * cannot be fetched keeps its address and is reported. `offprint.lock.json` next to docs.json and `cacheFolder` make the
   * next export embed the same bytes: see `remoteLock` of the result. Default: only for an `air-gapped` bundle.
   */
  readonly embedRemote?: boolean | undefined;
  /** Export only these pages: URL paths (`/guides/install`) or source paths (`guides/install.mdx`). */
  readonly paths?: readonly string[] | undefined;
  /** Fail before any page is made if the site lacks one of `paths`. */
  readonly requirePaths?: boolean | undefined;
  /**
   * Groups of readers that the bundle is for: `["staff", "partners"]`. It has the pages and parts whose `groups` name one of
   * them, and those without `groups`. Default: only those without. Anyone with the bundle can read all of it.
   */
  readonly audience?: readonly string[] | undefined;
  /** Treat an error in the site as a failure: `ok` is false, and the previous output stays. */
  readonly strict?: boolean | undefined;
  /**
   * Pages rendered at once, each in its own thread; at least 1. `time`: another thread starts on an idle core as soon as it
   * shortens the run. `work`: only where it costs little more processor time. Default: `time`.
   */
  readonly concurrency?: number | "time" | "work" | undefined;
  /**
   * Folder for stored pages, highlighted code and rendered diagrams. Runs, threads and processes may share it; entries that
   * no run has used for 30 days are removed. Default: nothing is cached.
   */
  readonly cacheFolder?: string | undefined;
  /**
   * Tells the site from others in a cache of several machines, where the site's folder differs: `docs`. Default: the folder.
   */
  readonly cacheName?: string | undefined;
  /**
   * Shares the stored pages of `cacheFolder` with other machines. If it fails or is slow, the export goes on without it.
   */
  readonly remoteCache?: RemoteStore | undefined;
  /** Processor time for one page, in milliseconds. A page that needs more is tried once more, then exported as an error page. */
  readonly pageTimeoutMs?: number | undefined;
  /** Which Markdown parser reads the pages; both give the same trees. */
  readonly parser?: "satteri" | "remark" | undefined;
  /** Called often, on the calling thread. If it throws, the run ends with that error. */
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
  /** Stops the run within a second; the run leaves no files. */
  readonly signal?: AbortSignal | undefined;
}

/** With neither `output` nor `archive`, `exportSite` only checks the site, as `checkSite` does. */
export interface ExportOptions extends CheckOptions {
  /**
   * Folder of the bundle. It is replaced as a whole at the end of the run; missing parent folders are created.
   * `"memory"` writes no folder and returns the bundle as `files`; for a folder of that name, write `"./memory"`.
   */
  readonly output?: string | undefined;
  /** Archive of the bundle: a path that ends in `.zip`, `.tar.gz` or `.tgz`. */
  readonly archive?: string | undefined;
  /**
   * Also write each section of the navigation as one document for printing, linked from the page menu, as the site's
   * `contextual.print` does.
   */
  readonly print?: boolean | undefined;
  /** Lets readers ask an assistant about the site. Default: the bundle has no trace of one. */
  readonly assistant?: AssistantOptions | undefined;
  /**
   * Address of an MCP server of the site, for the page menu and the documents in `.well-known`:
   * `https://docs.acme.com/mcp`, as of `offprint serve --mcp`. Default: that of the service that has the assistant, if any.
   */
  readonly mcpUrl?: string | undefined;
  /**
   * Ask this language model what readers would ask about each section, in their own words; the search finds the section by
   * these, too. `cacheFolder` keeps them, so that a section is asked about once. Default: no model is asked.
   */
  readonly questions?: QuestionModel | undefined;
  /** Counts page views. Default: the bundle has no trace of it. */
  readonly analytics?: AnalyticsOptions | undefined;
  /**
   * With a cache, read each file of the previous bundle, and make those again that somebody has edited. Default: a file
   * counts as unchanged while no file of its folder is added, removed or replaced.
   */
  readonly verify?: boolean | undefined;
}

export const exportDefaults = {
  deployment: "cloud",
  strict: false,
  verify: false,
  pageTimeoutMs: 20_000,
  parser: "satteri",
} as const satisfies Partial<ExportOptions>;

/** An option that only the caller can correct. */
export class InvalidOption extends RangeError {
  override readonly name = "InvalidOption";
}

/** Features that the deployment allows. The site's settings must ask for them, too. */
export interface DeploymentFeatures {
  /** Links that open a page in an online assistant. */
  readonly assistants: boolean;
  /** The export fetches the API specifications that the site names by URL. */
  readonly remoteSpecs: boolean;
  /** The site's own content may load from other hosts; if not, each such use is an error. */
  readonly outsideRequests: boolean;
}

/** In the order in which they run. `embed` runs only if files of other hosts are embedded and pages load such files. */
export type ExportPhase = "read" | "assets" | "pages" | "embed" | "outputs" | "archive";

export interface ExportProgress {
  readonly phase: ExportPhase;
  /** Finished steps of this phase; pages while `phase` is `pages`. */
  readonly done: number;
  /** All steps of this phase. */
  readonly total: number;
  /** Percentage of the whole run, from 0 to 100; never falls. */
  readonly progress: number;
  /** Pages exported so far. */
  readonly pageCount: number;
}

/** What a run reports about the site, whether or not it succeeds. */
export interface SiteReport {
  /** `name` of docs.json; empty if there is no site. */
  readonly siteName: string;
  /** Pages in the bundle; 0 if `ok` is false. */
  readonly pageCount: number;
  /** Every error and warning, sorted by file, line and column. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the site's own content loads from other hosts, and its scripts, sorted by kind and URL. */
  readonly external: readonly ExternalUse[];
  /**
   * With `embedRemote`: the text of `offprint.lock.json` for the next export, which then embeds the same bytes. The
   * export writes it nowhere; its place is next to docs.json. Absent if the site loads nothing from other hosts.
   */
  readonly remoteLock?: string;
  /** With `questions`: what the language model was asked. */
  readonly questions?: QuestionUsage;
  /** Absolute paths of the site's files that the run read, sorted. The bundle changes only if one of them does, or a listing. */
  readonly inputs: readonly string[];
  /** Absolute paths of the folders with files of the site, sorted: adding or removing a file there changes the site, too. */
  readonly inputFolders: readonly string[];
  /** Milliseconds by stage: wall time on the main thread; for the stages of pages, the sum over all threads. */
  readonly timings: Readonly<Record<string, number>>;
  /** Milliseconds that each page took in its thread, rounded, in no particular order. */
  readonly pageMs: readonly number[];
  /** Pages that this run made, including pages of models. All others are reused from an earlier export, some with a new frame. */
  readonly pagesMade: number;
  /** Number of threads that made pages when the run ended; 0 if no page had to be made. */
  readonly threads: number;
}

/** `ok` is false if the site could not be read, has no pages, or has an error and `strict` is set. */
export interface CheckResult extends SiteReport {
  readonly ok: boolean;
}

/** The bundle is complete. Each field is present if it was asked for. */
export interface ExportSuccess extends SiteReport {
  readonly ok: true;
  /**
   * Nothing has changed since an earlier export with the same `cacheFolder`: neither the site, nor the settings, nor the
   * bundle and its archive, which stay as they are. The report is that of the earlier export; `timings` are empty.
   */
  readonly unchanged?: true;
  /** Present unless the site was only checked. */
  readonly manifest?: Manifest;
  /** Size of the bundle without its manifest; present if `manifest` is. */
  readonly size?: { readonly fileCount: number; readonly bytes: number };
  /** Absolute path of the bundle's folder, symbolic links resolved. */
  readonly output?: string;
  readonly archive?: ArchiveResult;
  /** With `output: "memory"`: the bytes of every file by output path, `offprint.json` first, then in the manifest's order. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
}

/** Nothing was written, and `diagnostics` say why. */
export interface ExportFailure extends SiteReport {
  readonly ok: false;
  readonly unchanged?: undefined;
  readonly manifest?: undefined;
  readonly size?: undefined;
  readonly output?: undefined;
  readonly archive?: undefined;
  readonly files?: undefined;
}

/** `ok` says which of the two it is. */
export type ExportResult = ExportSuccess | ExportFailure;

/** The result of an export whose options request these fields: they are present if `ok`. */
export type ExportResultWith<Field extends "output" | "archive" | "files"> =
  | (ExportSuccess & Required<Pick<ExportSuccess, "manifest" | Field>>)
  | ExportFailure;

/** One of `count` parts of a site's pages. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

export interface ShardOptions
  extends CheckOptions,
    Pick<ExportOptions, "print" | "assistant" | "mcpUrl" | "analytics"> {
  readonly shard: Shard;
}

/** `ok` is false if the site could not be read or has no pages; `diagnostics` say why. */
export interface ShardResult extends Pick<SiteReport, "siteName" | "diagnostics" | "timings" | "pageMs"> {
  readonly ok: boolean;
  /** Pages of the whole site, and of the shard. */
  readonly pageCount: number;
  readonly shardPages: number;
  /** Pages added to the cache. Pages that failed are not; the export of the whole site makes and reports them. */
  readonly made: number;
}
