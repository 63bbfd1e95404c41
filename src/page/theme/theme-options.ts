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
  /** Drawing of an icon by name: those of `navigationIcons(site)`, `icon` of every page, and of social links. */
  readonly icon: DrawIcon;
  /** Anyone on the internet can open the pages where they will stand. */
  readonly isPublic?: boolean;
  /** Size of a picture of the site in CSS pixels, by its source path. */
  readonly imageSize: ImageSize;
  /** Inline Markdown as docs.json and front matter hold it. */
  readonly renderInline: (markdown: string) => ElementContent[];
  /** Names of the indexes that readers search who are in a division; none where there is nothing to be found. */
  readonly searchIndexes?: (division: Division) => readonly string[];
}
