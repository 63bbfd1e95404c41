import type { BundleFile } from "../bundle/archive/index.js";
import type { RecordSource } from "../bundle/search/index.js";
import type { PackPlace } from "../lib/cache/index.js";
import type { Diagnostic } from "../lib/diagnostic/index.js";
import type { AnchorWanted } from "../page/check/index.js";
import type { ExternalUse } from "../page/render/index.js";
import type { ModelTask } from "./model-pages.js";

/** What a worker thread sends back for one page; the page's files are written by then. */
export interface PageResult extends PageRecord {
  /** The page's record for the search, or where it is; absent for a page that search excludes. */
  readonly searchRecord?: RecordSource;
  /** Models that the page refers to. */
  readonly models: readonly ModelTask[];
  /** For the page store; absent if the page is not to be stored. */
  readonly kept?: KeptPage;
  /** The body is a stored one. */
  readonly isStored?: true;
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
}

/** What a page thread has put into a pack, and what was read for it. */
export interface KeptPage {
  /** Absent if the body was a stored one, or if there is none. */
  readonly body?: KeptBody;
  /** What the document has read besides, as questions and answers in turn. */
  readonly reads: readonly string[];
  /** The document may show texts of any page. */
  readonly showsOthers?: boolean;
}
export interface KeptBody {
  readonly at: PackPlace;
  /** The page's record for the search; absent for a page that search excludes. */
  readonly record?: PackPlace;
  /** Questions and answers in turn. */
  readonly reads: readonly string[];
}

/** What the run keeps of each page until its end: small, since a site may have 25,000 pages. */
export interface PageRecord {
  readonly files: readonly BundleFile[];
  /** Every `id` of the document, joined by line feeds, without those that every page has. */
  readonly ids: string;
  /** Links to anchors of other pages, to be checked after all pages. */
  readonly anchorsWanted: readonly AnchorWanted[];
  readonly external: readonly ExternalUse[];
  readonly diagnostics: readonly Diagnostic[];
  /** Style sheets that the page needs besides those of every page. */
  readonly stylesheets: readonly string[];
  /** Source paths of the files that the thread read for the first time. */
  readonly inputs: readonly string[];
}
