import type { BundleFile } from "../../bundle/archive/index.js";
import type { RecordSource } from "../../bundle/search/index.js";
import type { PackPlace } from "../../lib/cache/index.js";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { AnchorWanted } from "../../page/check/index.js";
import type { ExternalUse } from "../../page/render/index.js";
import type { AssetManifest } from "../../page/theme/index.js";
import type { EmbeddedFile } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { ExportOptions } from "../export-options.js";
import type { DeploymentFeatures } from "../run/resolve-options.js";
import type { ModelTask } from "./api-pages.js";

/** What a page thread starts with: plain data, cloned once. */
export interface PageThreadData {
  readonly site: Site;
  /** Absolute folder of the site, and the source paths in it. */
  readonly root: string;
  readonly sourcePaths: readonly string[];
  readonly assets: AssetManifest;
  /** Output paths of the bundle, without those of the pages' own files. */
  readonly otherFiles: readonly string[];
  /** Absolute folder of the unfinished bundle; absent: nothing is written. */
  readonly staging?: string;
  /** Absolute folder for files that only the run needs; present where `staging` is. */
  readonly scratch?: string;
  readonly baseUrl?: string;
  /** Copies that the settings use. */
  readonly embedded?: EmbeddedEntries;
  readonly features: DeploymentFeatures;
  readonly cacheFolder?: string;
  /** Absolute folder of the packs of the page store; absent: no page is stored. */
  readonly packs?: string | undefined;
  readonly parser: NonNullable<ExportOptions["parser"]>;
}

export type PageTask =
  | {
      readonly kind: "page";
      readonly index: number;
      /** Why the thread of an earlier attempt ended; the page is exported with this as its text. */
      readonly lost?: Diagnostic;
      /** The page's body from an earlier export. */
      readonly stored?: PackPlace | undefined;
      readonly embedded?: EmbeddedEntries | undefined;
      /** Only the body is made, for the page store. */
      readonly bodyOnly?: true | undefined;
    }
  | {
      readonly kind: "model";
      readonly model: ModelTask;
      readonly lost?: Diagnostic;
      /** The page's body from an earlier export. */
      readonly stored?: PackPlace | undefined;
      readonly embedded?: EmbeddedEntries | undefined;
      readonly bodyOnly?: true | undefined;
    }
  /** What the bundle has once for all pages: the 404 page, large sidebars. */
  | { readonly kind: "shared"; readonly embedded?: EmbeddedEntries | undefined };

/** Copies of files of other hosts, by URL. */
export type EmbeddedEntries = readonly (readonly [url: string, file: EmbeddedFile])[];

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
