import type { ElementContent } from "hast";
import type { Addresses } from "../../site/links/index.js";
import type { Division, Site } from "../../site/site.js";
import type { AssetManifest } from "./asset-manifest.js";
import type { ImageSize } from "./chrome-context.js";
import type { DrawIcon } from "./icons.js";

export interface ThemeOptions {
  readonly site: Site;
  readonly addresses: Addresses;
  readonly manifest: AssetManifest;
  /** Renders an icon by name: those of `navigationIcons(site)`, `icon` of every page, and of social links. */
  readonly icon: DrawIcon;
  /** Whether the published pages are open to anyone on the internet. */
  readonly isPublic?: boolean;
  /** Size of an image of the site in CSS pixels, by source path. */
  readonly imageSize: ImageSize;
  /** Output path of the file that readers download of a specification, by its key. */
  readonly specFile?: (key: string) => string | undefined;
  /** Renders inline Markdown of docs.json and front matter. */
  readonly renderInline: (markdown: string) => ElementContent[];
  /** Names of the indexes that readers of a division search; empty if there is nothing to search. */
  readonly searchIndexes?: (division: Division) => readonly string[];
}
