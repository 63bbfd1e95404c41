import type { ElementContent } from "hast";
import type { ThemeName } from "../../site/config/index.js";
import type { Addresses } from "../../site/links/index.js";
import type { Division, Site } from "../../site/site.js";
import type { ImageSize } from "./chrome/chrome-context.js";
import type { DrawIcon } from "./icons.js";

export interface ThemeOptions {
  readonly site: Site;
  readonly addresses: Addresses;
  readonly manifest: AssetManifest;
  /** Renders an icon by name: those of `navigationIcons(site)`, `icon` of every page, and of social links. */
  readonly icon: DrawIcon;
  /** Whether anyone on the internet can read the published pages. */
  readonly isPublic?: boolean;
  /** Size of an image of the site in CSS pixels, by source path. */
  readonly imageSize: ImageSize;
  /** Output path of the specification that readers can download, by its key. */
  readonly specFile?: (key: string) => string | undefined;
  /** Renders inline Markdown of docs.json and front matter. */
  readonly renderInline: (markdown: string) => ElementContent[];
  /** Names of the indexes that readers of a division search; empty if there is nothing to search. */
  readonly searchIndexes?: (division: Division) => readonly string[];
}

/** The output paths of files made before the first page is rendered. Plain data, which every worker thread gets. */
export interface AssetManifest {
  /** Style sheets of every page, in order: ours, utilities, the site's own. Those of `parts` follow the first one. */
  readonly stylesheets: readonly string[];
  /** The small classic script in the head that sets the colour mode before the first paint. */
  readonly headScript: string;
  /** Deferred classic scripts of every page, in order: ours, then the site's own. */
  readonly scripts: readonly string[];
  /** The script in the head of the 404 page that applies wildcard redirects. Absent if there are none. */
  readonly redirectScript?: string;
  /** The script of the 404 page that corrects its links if it is opened from disk. Absent if they are relative. */
  readonly diskScript?: string;
  /** The script of printed sections; absent if the site has none. */
  readonly printScript?: string;
  /** The search script, loaded when a reader opens the search. */
  readonly searchScript: string;
  /** Loaded when a reader opens the playground of an API; absent if there is none. `words` by language tag. */
  readonly playground?: {
    readonly script: string;
    readonly stylesheet: string;
    readonly words: Readonly<Record<string, string>>;
  };
  /** Loaded when a reader opens the assistant; absent if the site has none. `settings` by language tag. */
  readonly assistant?: {
    readonly script: string;
    readonly stylesheet: string;
    readonly settings: Readonly<Record<string, string>>;
  };
  /** URL of the site's MCP server, for the page menu. Absent if none is known. */
  readonly mcp?: string;
  /** Style sheets that pages load on demand, by name: `math`, `diagram`, and those that components name. */
  readonly parts: Readonly<Record<string, string>>;
  /** Whether pages have `data-component-part`, because style sheets or scripts of the site may use it. */
  readonly componentParts: boolean;
  /** Logos of the assistants in the site's page menu, by option name. */
  readonly marks: Readonly<Record<string, string>>;
  readonly favicon: { readonly light: string; readonly dark: string };
}

/** Differences between themes that style sheets cannot express. */
interface ThemeTraits {
  /** Tabs are next to the logo if there is room, not in a row of their own. */
  readonly tabsBesideLogo: boolean;
  /** The logo is above the sidebar and takes its width. */
  readonly logoOverSidebar?: boolean;
  /** The part above a page's title, unless docs.json sets it. */
  readonly eyebrows: "section" | "breadcrumbs";
}

const classic: ThemeTraits = { tabsBesideLogo: false, eyebrows: "section" };
const oneRow: ThemeTraits = { tabsBesideLogo: true, eyebrows: "section" };
const large: ThemeTraits = { tabsBesideLogo: true, eyebrows: "breadcrumbs" };

export const themeTraits: Readonly<Record<ThemeName, ThemeTraits>> = {
  mint: classic,
  maple: { ...oneRow, logoOverSidebar: true },
  palm: classic,
  willow: oneRow,
  linden: classic,
  almond: oneRow,
  aspen: large,
  sequoia: large,
  luma: oneRow,
};
