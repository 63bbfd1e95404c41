import type { ElementContent } from "hast";
import type { Messages } from "../../../lib/language/index.js";
import type { Navbar } from "../../../site/config/index.js";
import type { Division, Site } from "../../../site/site.js";
import type { Icons } from "../icons.js";
import type { Links } from "../settings-links.js";
import type { AssistantFiles, SearchFiles } from "./launchers.js";

/** Data for rendering the chrome of a division's pages. */
export interface ChromeContext {
  readonly site: Site;
  readonly division: Division;
  readonly prefix: string;
  readonly links: Links;
  readonly icons: Icons;
  readonly messages: Messages;
  readonly navbar: Navbar;
  /** Index of the page that the logo opens. */
  readonly home?: number;
  /** Absent if there is nothing to search. */
  readonly search?: SearchFiles;
  /** Absent if the site has no assistant. */
  readonly assistant?: AssistantFiles;
  /** Size of an image of the site in CSS pixels, by source path. */
  readonly imageSize: ImageSize;
  readonly renderInline: (markdown: string) => ElementContent[];
}

export type ImageSize = (sourcePath: string) => { readonly width?: number; readonly height?: number } | undefined;
