import type { Location } from "../lib/diagnostic/index.js";
import type {
  Banner,
  Directory,
  Footer,
  IconChoice,
  LightDark,
  Navbar,
  NavKind,
  SiteSettings,
  SpecRef,
} from "./config/index.js";
import type { ApiTarget, SpecPlan } from "./specs/index.js";

/**
 * The whole plan of an export. Plain data: it is cloned once to every worker thread, so nothing in it may be
 * quadratic in the number of pages.
 */
export interface Site {
  /** docs.json without its navigation, which has become the pages, sections and divisions. */
  readonly config: SiteSettings;
  /** Every page to export: those of the navigation in its order, then unlisted ones by path. `pages[i].index === i`. */
  readonly pages: readonly PagePlan[];
  /** Every container above the sidebars; `sections[0]` is the root. */
  readonly sections: readonly NavSection[];
  /** One for each sidebar. */
  readonly divisions: readonly Division[];
  /** What every page shows beside its own navigation (`navigation.global`), resolved. */
  readonly globalLinks: readonly NavLink[];
  /** Specifications that docs.json names where they show, in the order written. */
  readonly specRefs: { readonly openapi: readonly SpecRef[]; readonly asyncapi: readonly SpecRef[] };
  /** Page that `/` shows: the root index page, else the first page of the default navigation. */
  readonly homePage?: number;
  /** Files copied to their own path (images, specs, downloads): sorted source paths. */
  readonly staticFiles: readonly string[];
  /** The site's own style sheets and scripts, sorted: on every page (FORMAT 4.6). */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  /** API specifications that pages are made from, by the order of their first use. */
  readonly specs: readonly SpecPlan[];
  /** Files that pages import; they are no pages. */
  readonly snippets: readonly string[];
  /** Words of `class`/`className` values in pages and snippets, sorted: candidates for utility classes. */
  readonly classNames: readonly string[];
}

export interface PagePlan {
  readonly index: number;
  /** The file it is written in; of a generated page the specification: a file, or its URL. */
  readonly sourcePath: string;
  /** What of an API the page is about: that stands after its text. */
  readonly api?: ApiTarget;
  /** Address of the specification that it would be about, which could not be fetched: the page says so. */
  readonly unavailableSpec?: string;
  /** No file is behind the page. Its text is MDX, mostly empty. */
  readonly generated?: { readonly text: string };
  /** Address without extension, nothing percent-encoded: `/`, `/guides/install`. */
  readonly urlPath: string;
  /** Place in the bundle: `index.html`, `guides/install.html`. A name that some system refuses is changed, so take it from here. */
  readonly outputPath: string;
  readonly frontmatter: PageFrontmatter;
  /** That of the front matter, else made from the last path segment. */
  readonly title: string;
  /** Label in the navigation, where it is not the title. */
  readonly sidebarTitle?: string;
  readonly description?: string;
  readonly icon?: IconChoice;
  /** What the pill beside its name says, in capitals: `GET`, `WEBHOOK`, `MQTT`; absent for a page about no endpoint. */
  readonly marker?: string;
  readonly deprecated: boolean;
  /** Stands in the navigation (shown or hidden there). */
  readonly listed: boolean;
  /** Shown in the sidebar. */
  readonly visible: boolean;
  /** FORMAT 6.1: in sitemap and AI outputs. */
  readonly indexed: boolean;
  /** FORMAT 6.1: in the search of the site. */
  readonly searchable: boolean;
  /** Tells search engines to stay away. */
  readonly noindex: boolean;
  readonly boost: number;
  /** The sidebar it stands in; for unlisted pages the default one, so that they too show a navigation. */
  readonly division: number;
  /** Names of the groups above it, outermost first, each with its landing page where it has one. */
  readonly breadcrumbs: readonly { readonly label: string; readonly urlPath?: string }[];
  /** Index of the page before and after it in its division. */
  readonly previous?: number;
  readonly next?: number;
  /** Label of the language and version around its division; absent where there is none. */
  readonly language?: string;
  readonly version?: string;
  /** Stands in the default language and version (llms.txt lists only those), or in none. */
  readonly inDefaultScope: boolean;
  /** How child pages are listed below the body of a group's root page. */
  readonly directory: { readonly style: Directory; readonly pages: readonly number[] };
}

/** What a page's front matter says beside the texts that its plan holds: every thread has it for all pages. */
export type PageFrontmatter = Frontmatter & {
  readonly title?: never;
  readonly sidebarTitle?: never;
  readonly description?: never;
};

/** A front matter block as data: keys as written, values of YAML's JSON schema. */
export type Frontmatter = Readonly<Record<string, FrontmatterValue>>;
export type FrontmatterValue =
  | string
  | number
  | boolean
  | null
  | readonly FrontmatterValue[]
  | { readonly [key: string]: FrontmatterValue };

/** A container above the sidebars: a language, version, product, tab, dropdown, anchor or menu item. */
export interface NavSection {
  readonly id: number;
  readonly kind: NavKind | "root";
  readonly label: string;
  readonly parent?: number;
  /** In the order written, hidden ones too. */
  readonly children: readonly number[];
  /** Written as hidden, or there is nothing to open: neither `landing` nor `href`. */
  readonly hidden: boolean;
  readonly default: boolean;
  readonly icon?: IconChoice;
  readonly tag?: string;
  readonly description?: string;
  readonly color?: LightDark;
  readonly align?: "start" | "end";
  /** For an entry that leads outside its own pages. */
  readonly href?: string;
  /** Index of its first shown page, in its default language and version; absent for a mere link. */
  readonly landing?: number;
  /** The sidebar of the groups and pages directly in it; stands beside `children` where a container holds both. */
  readonly division?: number;
  /** Links of its own `global`. */
  readonly globalLinks: readonly NavLink[];
  /** A language's own. */
  readonly banner?: Banner;
  readonly footer?: Footer;
  readonly navbar?: Navbar;
}

export interface NavLink {
  readonly kind: NavKind;
  readonly label: string;
  readonly href: string;
  readonly icon?: IconChoice;
  readonly color?: LightDark;
  readonly location: Location;
}

/** One sidebar and the pages in it. */
export interface Division {
  readonly id: number;
  /** Section ids from the root (0) down to the one that holds the sidebar. */
  readonly sections: readonly number[];
  /** Hidden pages and groups left out. */
  readonly entries: readonly SidebarEntry[];
  /** Page indexes in reading order, each once. */
  readonly order: readonly number[];
}
export type SidebarEntry = SidebarGroup | SidebarPage | SidebarLink;
export interface SidebarGroup {
  readonly type: "group";
  readonly label: string;
  readonly icon?: IconChoice;
  readonly tag?: string;
  /** Open from the start; top-level groups always are. */
  readonly expanded: boolean;
  /** Page that the title opens. */
  readonly root?: number;
  readonly entries: readonly SidebarEntry[];
}
export interface SidebarPage {
  readonly type: "page";
  readonly page: number;
}
/** An entry that leads outside: a page with `url`, or a nav entry with an external `href`. */
export interface SidebarLink {
  readonly type: "link";
  readonly label: string;
  readonly href: string;
  readonly icon?: IconChoice;
  readonly tag?: string;
}
