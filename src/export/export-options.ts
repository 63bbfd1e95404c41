import type { RemoteStore } from "../lib/cache/index.js";
import type { Deployment } from "../lib/deployments.js";

export type { Deployment };

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

/** Counts the views of people where nothing of Offprint answers: the pages tell a service, `offprint service`. */
export interface AnalyticsOptions {
  /** Address of the service: `https://docs-api.example.com`. Browsers send it the paths of pages. */
  readonly url: string;
  /** The site's domain, as the service knows it. Default: the host of the site's address. */
  readonly domain?: string | undefined;
  /** Also send what readers search for, and which result they open. Default: no. */
  readonly searches?: boolean | undefined;
}

/** What `exportSite` and `checkSite` have in common. */
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
  /**
   * Groups of readers that the bundle is for: `["staff", "partners"]`. It has the pages and parts whose `groups` name one of
   * them, and those without `groups`. Default: only those without. Anyone with the bundle can read all of it.
   */
  readonly audience?: readonly string[] | undefined;
  /** Treat an error in the site as a failure: `ok` is false, and the previous output stays. */
  readonly strict?: boolean | undefined;
  /** Pages rendered at once, each in its own thread; at least 1. Default: up to the number of cores, by the amount of work. */
  readonly concurrency?: number | undefined;
  /**
   * Folder for highlighted code and rendered diagrams. Runs, threads and processes may share it; entries that no run has
   * used for 30 days are removed. Default: nothing is cached.
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
  /** Stops the run within a second; nothing of it stays. */
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
  /** Counts page views. Default: the bundle has no trace of it. */
  readonly analytics?: AnalyticsOptions | undefined;
}

export const exportDefaults = {
  deployment: "cloud",
  strict: false,
  pageTimeoutMs: 20_000,
  parser: "satteri",
} as const satisfies Partial<ExportOptions>;

/** In the order in which they run. `embed` is there if pages load files of other hosts, and these are embedded. */
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
