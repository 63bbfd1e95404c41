import type { Location } from "../lib/diagnostic/index.js";
import type {
  Contextual,
  Directory,
  IconChoice,
  LightDark,
  NavContainer,
  NavKind,
  SiteSettings,
  SpecRefs,
} from "./config/index.js";
import type { ApiTarget, SpecPlan } from "./specs/index.js";

/**
 * The whole plan of an export. Plain data: it is cloned once to every worker thread, so nothing in it may be
 * quadratic in the number of pages.
 */
export interface Site {
  /** docs.json without its navigation: that becomes the pages, sections and divisions. */
  readonly config: SiteSettings;
  /** Every page to export: those of the navigation in its order, then unlisted ones by path. `pages[i].index === i`. */
  readonly pages: readonly PagePlan[];
  /** Every container above the sidebars; `sections[0]` is the root. */
  readonly sections: readonly NavSection[];
  /** One for each sidebar. */
  readonly divisions: readonly Division[];
  /** Links that every page shows next to its own navigation (`navigation.global`), resolved. */
  readonly globalLinks: readonly NavLink[];
  /** Specifications that visible parts of docs.json name, in the order written. */
  readonly specRefs: SpecRefs;
  /** The page at `/`: the root index page, otherwise the first page of the default navigation. */
  readonly homePage?: number;
  /** Files copied to their own path (images, specs, downloads): sorted source paths. */
  readonly staticFiles: readonly string[];
  /** The site's own style sheets and scripts, sorted; every page loads them. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  /** API specifications that pages are generated from, in the order of their first use. */
  readonly specs: readonly SpecPlan[];
  /** Files that pages import; they are not pages. */
  readonly snippets: readonly string[];
  /** Pages that are left out, with the addresses that they would have. */
  readonly leftOut?: readonly (readonly [urlPath: string, page: LeftOutPage])[];
  /** Folders of the pages of specifications that could not be read, without slashes around them. */
  readonly unreadFolders?: readonly (readonly [folder: string, source: string])[];
  /** The groups of readers that the bundle is for, sorted. If absent, the bundle has nothing with `groups`. */
  readonly audience?: readonly string[];
  /** Words of `class`/`className` values in the pages and what they import, sorted: candidates for utility classes. */
  readonly classNames: readonly string[];
  /** Whether code in the pages and what they import may select parts of components, see `namesParts`. */
  readonly namesParts?: boolean;
}

export interface LeftOutPage {
  /** File of the page; the specification of a generated page. */
  readonly sourcePath: string;
  /** The page is a draft, for other readers, not selected, or maybe one of a specification that could not be read. */
  readonly why: "draft" | "groups" | "paths" | "unread";
}

export interface PagePlan {
  readonly index: number;
  /** The file of the page; of a generated page the specification: a file, or its URL. */
  readonly sourcePath: string;
  /** The part of an API that the page documents, after its own text. */
  readonly api?: ApiTarget;
  /** Address of its specification if that could not be fetched; the page shows a notice. */
  readonly unavailableSpec?: string;
  /** Set for a page without a file. Its text is MDX, mostly empty. */
  readonly generated?: { readonly text: string };
  /** Address without extension, nothing percent-encoded: `/`, `/guides/install`. */
  readonly urlPath: string;
  /** Path in the bundle: `index.html`, `guides/install.html`. Characters that some system refuses are encoded. */
  readonly outputPath: string;
  readonly frontmatter: PageFrontmatter;
  /** From the front matter, otherwise made from the last path segment. */
  readonly title: string;
  /** Label in the navigation, if it is not the title. */
  readonly sidebarTitle?: string;
  readonly description?: string;
  readonly icon?: IconChoice;
  /** Text of the pill next to its name, in capitals: `GET`, `WEBHOOK`, `MQTT`; absent if the page documents no endpoint. */
  readonly marker?: string;
  readonly deprecated: boolean;
  /** Whether it is in the navigation, shown or hidden. */
  readonly listed: boolean;
  /** Whether the sidebar shows it. */
  readonly visible: boolean;
  /** Whether it is in the sitemap and in the outputs for AI. */
  readonly indexed: boolean;
  /** Whether the site's search finds it. */
  readonly searchable: boolean;
  /** Whether it asks search engines not to index it. */
  readonly noindex: boolean;
  readonly boost: number;
  /** What it was called at addresses that redirect to it. */
  readonly formerNames?: readonly string[];
  /** Page menu that replaces the site's. */
  readonly contextual?: Contextual;
  /** Its sidebar; for unlisted pages a default one, so that they show a navigation, too. */
  readonly division: number;
  /** Names of the groups above it, outermost first, each with its landing page if it has one. */
  readonly breadcrumbs: readonly { readonly label: string; readonly urlPath?: string }[];
  /** Index of the page before and after it in its division. */
  readonly previous?: number;
  readonly next?: number;
  /** Label of the language and version around its division, if any. */
  readonly language?: string;
  readonly version?: string;
  /** Whether it is in the default language and version, or in none. llms.txt lists only such pages. */
  readonly inDefaultScope: boolean;
  /** How child pages are listed below the body of a group's root page. */
  readonly directory: { readonly style: Directory; readonly pages: readonly number[] };
}

/** The path of a page without the folder of its language; starts with a slash. */
export const pathInLanguage = ({ urlPath, language }: Pick<PagePlan, "urlPath" | "language">): string =>
  language !== undefined && `${urlPath}/`.startsWith(`/${language}/`)
    ? urlPath.slice(language.length + 1) || "/"
    : urlPath;

/** A page's front matter without the texts that its plan has already, since every thread has it in memory for all pages. */
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
export interface NavSection
  extends Pick<
    NavContainer,
    "label" | "icon" | "tag" | "description" | "color" | "align" | "banner" | "footer" | "navbar"
  > {
  readonly id: number;
  readonly kind: NavKind | "root";
  readonly parent?: number;
  /** In the order written, hidden ones too. */
  readonly children: readonly number[];
  /** Whether it is set to hidden, or has neither `landing` nor `href`. */
  readonly hidden: boolean;
  readonly default: boolean;
  /** Link of an entry without pages. */
  readonly href?: string;
  /** Location of an entry with `href`. */
  readonly location?: Location;
  /** Index of its first visible page, in its default language and version; absent for a link. */
  readonly landing?: number;
  /** The sidebar of the groups and pages directly in it; a container may have it and `children`. */
  readonly division?: number;
  /** Links of its own `global`. */
  readonly globalLinks: readonly NavLink[];
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
  /** Section ids from the root (0) down to the one with the sidebar. */
  readonly sections: readonly number[];
  /** Without hidden pages and groups. */
  readonly entries: readonly SidebarEntry[];
  /** Page indexes in reading order, each once. */
  readonly order: readonly number[];
}
export type SidebarEntry = SidebarGroup | { readonly type: "page"; readonly page: number } | SidebarLink;
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

/** An external link: a page with `url`, or a navigation entry with an external `href`. */
export interface SidebarLink {
  readonly type: "link";
  readonly label: string;
  readonly href: string;
  readonly icon?: IconChoice;
  readonly tag?: string;
}

/**
 * Number of the product around each division, from 1 in the order of the navigation; 0 outside of products. All are 0 for
 * a site with fewer than two products.
 */
export function divisionProducts({ sections, divisions }: Pick<Site, "sections" | "divisions">): number[] {
  const products = sections.filter(({ kind }) => kind === "product").map(({ id }) => id);
  const numberOf = (division: Division): number =>
    1 + products.indexOf(division.sections.findLast((id) => products.includes(id)) ?? -1);
  return products.length < 2 ? divisions.map(() => 0) : divisions.map(numberOf);
}

/** Number of the product of each page; 0 for a page of several products, too. */
export function pageProducts(site: Site): Uint8Array {
  const ofDivision = divisionProducts(site);
  const ofPage = Uint8Array.from(site.pages, ({ division }) => ofDivision[division] ?? 0);
  for (const [at, { order }] of site.divisions.entries())
    for (const page of order) if (ofPage[page] !== ofDivision[at]) ofPage[page] = 0;
  return ofPage;
}
