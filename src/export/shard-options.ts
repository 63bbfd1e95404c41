import type { CheckOptions, ExportOptions } from "./export-options.js";
import type { SiteReport } from "./export-result.js";

/** One of `count` parts of a site's pages. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

export interface ShardOptions extends CheckOptions, Pick<ExportOptions, "print" | "assistant" | "analytics"> {
  readonly shard: Shard;
}

/** `ok` is false if the site could not be read or has no pages; `diagnostics` say why. */
export interface ShardResult extends Pick<SiteReport, "siteName" | "diagnostics" | "timings" | "pageMs"> {
  readonly ok: boolean;
  /** Pages of the whole site, and of the shard. */
  readonly pageCount: number;
  readonly shardPages: number;
  /** Pages that were not in the cache, and are now. The export of the site makes and reports those that failed. */
  readonly made: number;
}
