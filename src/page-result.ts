import type { BundleFile } from "./archive/bundle-file.js";
import type { AnchorWanted } from "./check/anchor-wanted.js";
import type { Diagnostic } from "./diagnostic/diagnostic.js";
import type { ExternalUse } from "./render/rendered-page.js";

/** What a worker thread sends back for one page, its files being written already. Kept small: the run holds one for each page. */
export interface PageResult {
  /** Of the page; -1 for what stands beside all pages. */
  readonly index: number;
  readonly files: readonly BundleFile[];
  /** Every `id` of the emitted document, joined by line feeds. */
  readonly ids: string;
  /** Links into other pages at a fragment, to be checked when all pages are done. */
  readonly anchorsWanted: readonly AnchorWanted[];
  readonly external: readonly ExternalUse[];
  readonly diagnostics: readonly Diagnostic[];
  /** Style sheets that the page has of its own. */
  readonly stylesheets: readonly string[];
  /** Time of the page by stage, in milliseconds. */
  readonly timings: Readonly<Record<string, number>>;
}
