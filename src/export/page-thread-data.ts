import type { PackPlace } from "../lib/cache/index.js";
import type { Diagnostic } from "../lib/diagnostic/index.js";
import type { AssetManifest } from "../page/theme/index.js";
import type { EmbeddedFile } from "../site/links/index.js";
import type { Site } from "../site/site.js";
import type { DeploymentFeatures } from "./deployment-features.js";
import type { ExportOptions } from "./export-options.js";
import type { ModelTask } from "./model-pages.js";

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
