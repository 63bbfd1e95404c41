import type { BundleFile } from "../../bundle/archive/index.js";
import type { RecordSource } from "../../bundle/search/index.js";
import type { PackPlace } from "../../lib/cache/index.js";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { AnchorWanted } from "../../page/check/check-anchors.js";
import type { ExternalUse } from "../../page/render/index.js";
import type { AssetManifest } from "../../page/theme/theme-options.js";
import type { EmbeddedFile } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";
import type { FileTexts } from "../../site/source/index.js";
import type { DeploymentFeatures, ExportOptions } from "../export-options.js";
import type { ModelTask } from "./api-pages.js";

/** What a page thread starts with: plain data, cloned once. */
export interface PageThreadData {
  readonly site: Site;
  /** Absolute folder of the site, and the source paths in it. */
  readonly root: string;
  readonly sourcePaths: readonly string[];
  /** See `FileTexts`. */
  readonly texts?: FileTexts | undefined;
  readonly assets: AssetManifest;
  /** Output paths of the bundle, without those of the pages' own files. */
  readonly otherFiles: readonly string[];
  /** Absolute folder of the unfinished bundle; absent: nothing is written. */
  readonly staging?: string | undefined;
  /** Absolute folder for files that only the run needs, such as search records; absent: none are written. */
  readonly scratch?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Copies that the settings use. */
  readonly embedded?: EmbeddedEntries | undefined;
  readonly features: DeploymentFeatures;
  readonly cacheFolder?: string | undefined;
  /** Absolute folder of the packs of the page store; absent: no page is stored. */
  readonly packs?: string | undefined;
  readonly parser: NonNullable<ExportOptions["parser"]>;
}

/** Copies of files of other hosts, by URL. */
export type EmbeddedEntries = readonly (readonly [url: string, file: EmbeddedFile])[];

interface PageTaskBase {
  /** Why the thread of an earlier attempt ended; the page is exported with this as its text. */
  readonly lost?: Diagnostic;
  /** Where the page's body of an earlier export is. */
  readonly storedBody?: PackPlace | undefined;
  /** Files of that body that the previous bundle has. They are not written again. */
  readonly storedFiles?: readonly BundleFile[] | undefined;
  readonly embedded?: EmbeddedEntries | undefined;
  /** Only the body is made, for the page store. */
  readonly bodyOnly?: true | undefined;
}

export type PageTask =
  | (PageTaskBase & { readonly kind: "page"; readonly index: number })
  | (PageTaskBase & { readonly kind: "model"; readonly model: ModelTask })
  /**
   * What the bundle has once for all pages: the 404 page, large sidebars. `root`: path of the bundle on its host, if that is
   * known without an address of the site.
   */
  | { readonly kind: "shared"; readonly embedded?: EmbeddedEntries | undefined; readonly root?: "/" };

/** What a thread sends back for one page; the page's files are written by then. */
export interface PageResult {
  readonly record: PageRecord;
  /** The page's search record, or where it is; absent for a page that search excludes. */
  readonly searchRecord?: RecordSource | undefined;
  /** Models that the page refers to. */
  readonly models: readonly ModelTask[];
  /** Absent if the page is not to be stored. */
  readonly toStore?: PageToStore | undefined;
  /** The body is that of an earlier export. */
  readonly isReused?: boolean;
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
  /** Processor time of the thread, in milliseconds; absent if nothing was made. */
  readonly processorMs?: number;
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

/** What a thread has put into a pack, and what it read for that: alternating questions and answers, see `Reads`. */
export interface PageToStore {
  /** Absent if the body is that of an earlier export, or if there is none. */
  readonly body?: BodyToStore | undefined;
  /** What the document read in addition to the body. */
  readonly reads: readonly string[];
  /** The document may show texts of any page. */
  readonly showsOthers?: boolean;
}
export interface BodyToStore {
  readonly at: PackPlace;
  /** The page's search record; absent for a page that search excludes. */
  readonly record?: PackPlace | undefined;
  readonly reads: readonly string[];
}

/** Forgets every text that the thread has read. */
export interface StartTask {
  readonly kind: "start";
  /** New data of the thread, if the site has a new plan. */
  readonly data?: PageThreadData;
  readonly texts?: FileTexts | undefined;
}
