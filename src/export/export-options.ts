import type { ArchiveResult, Manifest } from "../bundle/archive/index.js";
import type { Diagnostic } from "../lib/diagnostic/index.js";
import type { ExternalUse } from "../page/render/index.js";

/**
 * Where a bundle will stand. No bundle makes a request of its own anywhere; in an `air-gapped` one, whatever the site's own
 * content loads from another host is an error, since its readers would miss it.
 */
export type Deployment = "cloud" | "client-hosted" | "air-gapped";

/** What a caller may write. Without `output` and `archive` nothing is kept: the site is only checked. */
export interface ExportOptions {
  /** Folder that holds docs.json or mint.json. */
  readonly source: string;
  /** Folder to put the bundle into; replaced at once, at the end. Parents are made. */
  readonly output?: string;
  /** File ending in `.zip`, `.tar.gz` or `.tgz`. */
  readonly archive?: string;
  readonly deployment?: Deployment;
  /** Address the site will have, for canonical links, sitemap and feeds: `https://docs.acme.com/guide`. */
  readonly baseUrl?: string;
  /** Taken where neither `baseUrl` nor the site's `seo.metatags.canonical` says it. */
  readonly fallbackBaseUrl?: string;
  /** Export only these pages, as URL paths or source paths. */
  readonly paths?: readonly string[];
  /** Leave the previous output alone if the site has an error. */
  readonly strict?: boolean;
  /** Pages rendered at once, each in a thread of its own; from 1. Absent: up to the number of cores, as the work asks. */
  readonly concurrency?: number;
  /**
   * Folder for highlighted code and drawn diagrams, shared by all runs; what no run has used for 30 days is removed.
   * Absent: nothing is kept.
   */
  readonly cacheFolder?: string;
  /** Longest one page may take, in milliseconds. */
  readonly pageTimeoutMs?: number;
  /** Which Markdown parser reads the pages; the two give the same trees. */
  readonly parser?: "satteri" | "remark";
  /** Called often, on the calling thread. */
  readonly onProgress?: (progress: ExportProgress) => void;
  /** Stops the run within a second; nothing of it stays. */
  readonly signal?: AbortSignal;
}

export const exportDefaults = {
  deployment: "cloud",
  strict: false,
  pageTimeoutMs: 20_000,
  parser: "satteri",
} as const satisfies Partial<ExportOptions>;

export type ExportPhase = "read" | "assets" | "pages" | "outputs" | "archive";

export interface ExportProgress {
  readonly phase: ExportPhase;
  /** Steps of this phase done, and all of them; pages while `phase` is `pages`. */
  readonly done: number;
  readonly total: number;
  /** 0 to 100 over all phases; never falls. */
  readonly progress: number;
  /** Pages exported so far. */
  readonly pageCount: number;
}

export interface ExportResult {
  /** False: nothing was put in place, and `diagnostics` say why. */
  readonly ok: boolean;
  readonly siteName: string;
  readonly pageCount: number;
  /** All faults of the site, sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the site's own content asks of other hosts, and the scripts it brings, sorted by kind and URL. */
  readonly external: readonly ExternalUse[];
  /** Of the bundle; undefined where none was made. */
  readonly manifest?: Manifest;
  /** Absolute path of the bundle's folder, if one was asked for. */
  readonly output?: string;
  readonly archive?: ArchiveResult;
  /** Milliseconds by stage: wall time for stages of the main thread, summed over all threads for those of pages. */
  readonly timings: Readonly<Record<string, number>>;
}
