import type { Location } from "../../lib/diagnostic/index.js";
import type { SpecFormat } from "../api-spec.js";
import type { Restriction } from "../audience.js";

/** The settings of docs.json (or mint.json), with every default filled in. */
export interface SiteConfig extends SiteSettings {
  readonly navigation: Navigation;
  /** Files that `$ref` adds to the settings. */
  readonly includedFiles?: readonly string[];
}

/** All settings except the navigation, which only `discover` reads. Plain data, since it is cloned to worker threads. */
export interface SiteSettings {
  /** The file of the settings: `docs.json` or `mint.json`. */
  readonly sourcePath: string;
  /** Locations of the settings that later stages report on: see `locationOfSetting`. */
  readonly locations: ReadonlyMap<string, Location>;
  readonly theme: ThemeName;
  readonly name: string;
  readonly description?: string;
  readonly colors: { readonly primary: string; readonly light: string; readonly dark: string };
  readonly logo?: { readonly light: string; readonly dark: string; readonly href?: string };
  readonly favicon?: LightDark;
  readonly appearance: { readonly default: "system" | "light" | "dark"; readonly strict: boolean };
  readonly fonts: { readonly heading?: FontChoice; readonly body?: FontChoice };
  readonly icons: { readonly library: IconLibrary };
  readonly background: {
    readonly decoration?: "gradient" | "grid" | "windows";
    readonly color?: Partial<LightDark>;
    readonly image?: LightDark;
  };
  readonly styling: {
    /** Absent if the theme decides. */
    readonly eyebrows?: "section" | "breadcrumbs";
    /** Absent for pages with formulas only. */
    readonly latex?: boolean;
    readonly codeblocks: CodeblockStyle;
  };
  readonly thumbnails: {
    readonly appearance?: "light" | "dark";
    readonly background?: string;
    readonly fontFamily?: string;
  };
  readonly navbar: Navbar;
  readonly footer: Footer;
  readonly banner?: Banner;
  readonly interaction: { readonly drilldown?: boolean };
  readonly contextual?: Contextual;
  /** Links from each page to its file; none without `repository`. */
  readonly feedback: {
    /** Thumbs below each page, if the bundle reports to a service that counts views. */
    readonly thumbs?: boolean;
    readonly edits: boolean;
    readonly issues: boolean;
    readonly repository?: Repository;
  };
  readonly redirects: readonly Redirect[];
  readonly variables: Readonly<Record<string, string>>;
  readonly metadata: { readonly timestamp: boolean };
  readonly notFound: { readonly redirect: boolean; readonly title?: string; readonly description?: string };
  readonly markdown: { readonly schema: boolean; readonly instructions: readonly string[] };
  readonly seo: Seo;
  /** `prompt`: placeholder of the search field, and label of its button. */
  readonly search: { readonly prompt?: string };
  readonly variations: readonly { readonly id: string; readonly label: string }[];
  /** Provider name -> its settings, as written and checked. */
  readonly integrations: Readonly<Record<string, unknown>>;
  readonly api: ApiConfig;
}

export type ThemeName = "mint" | "maple" | "palm" | "willow" | "linden" | "almond" | "aspen" | "sequoia" | "luma";
export type IconLibrary = "fontawesome" | "lucide" | "tabler";
export interface LightDark {
  readonly light: string;
  readonly dark: string;
}
export interface FontChoice {
  readonly family: string;
  readonly weight?: number;
  readonly source?: string;
  readonly format?: "woff" | "woff2";
}
export interface CodeblockStyle {
  /** `system` follows the page; `dark` is dark in both; `theme` names Shiki themes. */
  readonly mode: "system" | "dark" | "theme";
  /** Shiki theme names, defaults filled in for every mode. */
  readonly theme: LightDark;
  /** Paths of TextMate grammars in JSON. */
  readonly customLanguages: readonly string[];
}
/** An icon as written: `name` is a name, a URL, a site path, or inline SVG. */
export interface IconChoice {
  readonly name: string;
  readonly style?: string;
  readonly library?: IconLibrary;
  readonly location?: Location;
}
export interface Navbar {
  readonly links: readonly NavbarLink[];
  readonly primary?: NavbarLink;
}
export interface NavbarLink {
  readonly type: "link" | "button" | "github" | "discord";
  readonly label?: string;
  /** The name of a link that shows only its icon. */
  readonly title?: string;
  readonly href: string;
  readonly icon?: IconChoice;
  readonly location?: Location;
}
export interface Footer {
  /** In the order written. */
  readonly socials: readonly { readonly type: string; readonly href: string; readonly location?: Location }[];
  readonly links: readonly {
    readonly header?: string;
    readonly items: readonly Omit<NavbarLink, "type">[];
  }[];
}
export interface Banner {
  /** Inline MDX. */
  readonly content: string;
  readonly dismissible: boolean;
  readonly type: "info" | "warning" | "critical";
  readonly color?: LightDark;
  readonly location?: Location;
}
export interface Contextual {
  readonly options: readonly ContextualOption[];
  readonly display: "header" | "toc";
  /** Each section is also one document for printing. */
  readonly print?: boolean;
}
export type ContextualOption =
  | string
  | {
      readonly title: string;
      readonly description: string;
      readonly icon?: IconChoice;
      readonly href:
        | string
        | { readonly base: string; readonly query: readonly { readonly key: string; readonly value: string }[] };
    };
/** The site's folder on GitHub or GitLab. */
export interface Repository {
  readonly kind: "github" | "gitlab";
  /** Without a slash at the end. */
  readonly url: string;
  readonly ref: string;
  /** Empty, or starts with a slash. */
  readonly folder: string;
}
export interface Redirect {
  readonly source: string;
  readonly destination: string;
  readonly permanent: boolean;
  readonly location?: Location;
}
export interface Seo {
  readonly indexing: "navigable" | "all";
  readonly metatags: Readonly<Record<string, string>>;
  readonly paths: readonly { readonly path: string; readonly metatags: Readonly<Record<string, string>> }[];
  readonly organization?: Readonly<Record<string, unknown>>;
  readonly trailingSlash: boolean;
}
/** The specifications that a setting names, by format. */
export type SpecRefs = { readonly [format in SpecFormat]: readonly SpecRef[] };
export interface ApiConfig extends SpecRefs {
  readonly playground: {
    readonly display: "interactive" | "simple" | "none" | "auth";
    readonly proxy: boolean;
    readonly credentials: boolean;
  };
  readonly params: {
    readonly expanded: "all" | "closed";
    /** Order of fields: required ones first, or as in the specification. */
    readonly order: "required" | "source";
    readonly post: readonly string[];
  };
  readonly url?: "full";
  /** Whether readers can download the specification and its collection. */
  readonly downloads: boolean;
  readonly examples: {
    readonly languages: readonly string[];
    readonly defaults: "required" | "examples" | "all";
    readonly prefill: boolean;
    readonly autogenerate: boolean;
  };
  readonly mdx: { readonly authMethod?: string; readonly authName?: string; readonly servers: readonly string[] };
}
export interface SpecRef {
  /** A site path or a URL. */
  readonly source: string;
  readonly directory?: string;
  readonly overlays?: readonly string[];
  /** The server of a GraphQL schema. */
  readonly service?: GraphService;
  /** Whether it has an overview page. Default: unless the navigation lists its operations by hand. */
  readonly overview?: boolean;
  readonly location?: Location;
}
export interface GraphService {
  /** URLs, or paths of the host that serves the pages. */
  readonly endpoints: readonly string[];
  readonly auth?: { readonly method?: "bearer" | "basic" | "key"; readonly name?: string };
  /** Sent with each request, by name. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type NavKind = "language" | "version" | "product" | "tab" | "menu" | "anchor" | "dropdown" | "group";

/** The navigation as written: one tree of the eight kinds of containers. */
export interface Navigation extends SpecRefs {
  readonly children: readonly NavEntry[];
  /** Shown on every page. */
  readonly global: readonly NavContainer[];
  readonly directory?: Directory;
}
export type Directory = "none" | "accordion" | "card";
export type NavEntry = NavContainer | NavPage;
export interface NavPage {
  readonly kind: "page";
  /** As written: `guides/install`, `GET /users`, `openapi.json GET /users`. */
  readonly ref: string;
  readonly location: Location;
}
/** A container as written; `discover` adds what it inherits. */
export interface NavContainer extends Partial<SpecRefs> {
  readonly kind: NavKind;
  /** Text shown; for a language its code. */
  readonly label: string;
  readonly children: readonly NavEntry[];
  readonly location: Location;
  /** It has no children, and a setting of it is invalid, which is reported and explains why. */
  readonly isFaulty?: boolean;
  readonly icon?: IconChoice;
  readonly href?: string;
  readonly hidden?: boolean;
  readonly searchable?: boolean;
  readonly public?: boolean;
  /** The readers who may see its pages; absent for all readers. */
  readonly restriction?: Restriction;
  readonly tag?: string;
  /** A group's own page. */
  readonly root?: NavPage;
  readonly expanded?: boolean;
  /** Closed at first, even at the top level. */
  readonly folded?: boolean;
  readonly boost?: number;
  readonly directory?: Directory;
  readonly color?: LightDark;
  readonly description?: string;
  readonly default?: boolean;
  readonly align?: "start" | "end";
  readonly global?: readonly NavContainer[];
  /** In place of the site's, as `footer` and `navbar`. */
  readonly banner?: Banner;
  readonly footer?: Footer;
  readonly navbar?: Navbar;
}
