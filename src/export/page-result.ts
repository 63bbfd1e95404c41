import type { BundleFile } from "../bundle/archive/index.js";
import type { RecordPlace } from "../bundle/search/index.js";
import type { Diagnostic } from "../lib/diagnostic/index.js";
import type { AnchorWanted } from "../page/check/index.js";
import type { ExternalUse } from "../page/render/index.js";

/** What a worker thread sends back for one page, its files being written already. */
export interface PageResult extends PageRecord {
  /** Where the search finds what it needs of the page; absent for one that it must not find. */
  readonly searchRecord?: RecordPlace;
  /** Time of the page by stage, in milliseconds. */
  readonly timings: Readonly<Record<string, number>>;
}

/** What the run keeps of each page until its end: small, since there may be 25,000. */
export interface PageRecord {
  readonly files: readonly BundleFile[];
  /** Every `id` of the emitted document but those that all pages have around them, joined by line feeds. */
  readonly ids: string;
  /** Links into other pages at a fragment, to be checked when all pages are done. */
  readonly anchorsWanted: readonly AnchorWanted[];
  readonly external: readonly ExternalUse[];
  readonly diagnostics: readonly Diagnostic[];
  /** Style sheets that the page has of its own. */
  readonly stylesheets: readonly string[];
}
