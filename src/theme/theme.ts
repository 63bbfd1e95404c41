import type { ElementContent } from "hast";
import { type Addresses, upToRoot } from "../address/index.js";
import type { AssetManifest } from "../assets/asset-manifest.js";
import type { Banner as BannerConfig, SiteSettings } from "../config/site-config.js";
import type { Division, NavSection, PagePlan, Site } from "../discover/site.js";
import { escapeHtml } from "../html/escape.js";
import { clientWords, directionOf, languageTag, type Strings, stringsFor } from "../language/index.js";
import type { RenderedPage } from "../render/rendered-page.js";
import { Banner, bannerKey } from "./banner.js";
import { withoutTakenIds } from "./chrome-ids.js";
import { Footer } from "./footer.js";
import type { FrameContext, ImageSize } from "./frame-context.js";
import { Header, tabsFitBesideLogo } from "./header.js";
import { htmlOf } from "./html.js";
import { createIcons, type DrawIcon, type Icons } from "./icons.js";
import { type LinkFaults, linkFaults } from "./link-faults.js";
import { anyPrefix, createLinks, type Links, withPrefix } from "./links.js";
import { createMemo } from "./memo.js";
import { type NavScript, navScriptOf } from "./nav-script.js";
import { notFoundBody } from "./not-found.js";
import { DirectoryListing, type PageContext, PageHeader, Pagination, pageModeOf, TableOfContents } from "./page.js";
import { createPageMenu, fillPageMenu, type PageMarkdown, type PageMenu } from "./page-menu.js";
import type { SearchFiles } from "./search-entry.js";
import { createCounterparts, levelsOf, sectionOf } from "./sections.js";
import { createSidebars, wholeSidebarEntries } from "./sidebar.js";
import { SidebarHead } from "./sidebar-head.js";
import { createTemplate, fillTemplate, type Template } from "./template.js";
import { themeTraits } from "./theme-traits.js";

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

/** What other stages make for a page. */
export interface PageBeside {
  /** Elements of the head that speak of this page; charset, viewport, title and icons are the document's own. */
  readonly metadata?: string;
  /** Output path of the page's feed, if it has one. */
  readonly feed?: string;
  /** Without it the page has no menu. */
  readonly markdown?: PageMarkdown;
}

export interface Theme {
  /**
   * A complete HTML document for a page at its output path, in pieces, each of whole tags: it is long, and joining it
   * would copy it once more.
   */
  document(plan: PagePlan, rendered: RenderedPage, beside?: PageBeside): readonly string[];
  /**
   * The document of `404.html`. Servers show it at any address, so its links start with `root`, the path of the site's
   * address (`/docs/`), where that is known; without it they are relative, for a page that is opened where it stands.
   */
  notFound(root?: string, stylesheets?: readonly string[]): readonly string[];
  /** Large sidebars as scripts: to be written once, beside the pages. */
  navScripts(): readonly NavScript[];
  /** Links of header, footer and navigation that lead nowhere. */
  faults(): LinkFaults;
}

/**
 * Prepares the parts that pages share. They are rendered when first needed, once for each sidebar; the way to the
 * bundle's root is put in for each depth, and what marks the current page is spliced in, so a page costs the same
 * whatever the size of the site.
 */
export function createTheme(options: ThemeOptions): Theme {
  const { site, manifest, renderInline } = options;
  const { config } = site;
  const links = createLinks(site, options.addresses);
  const counterpart = createCounterparts(site);
  const iconsMemo = createMemo<Icons>();
  const iconsAt = (prefix: string): Icons => iconsMemo(prefix, () => createIcons(options.icon, links, prefix));
  const drilldown = config.interaction.drilldown ?? false;
  const sidebars = createSidebars({ site, links, icons: iconsAt(anyPrefix), drilldown });
  const frames = createMemo<Frame>();
  const places = createMemo<PlacedFrame>(256);
  const banners = createMemo<string>(256);
  const specFiles = config.contextual?.options.includes("download-spec")
    ? bundledSpecs(site)
    : new Map<string, string>();

  const frameAt = (id: number, prefix: string): PlacedFrame =>
    places(`${id} ${prefix}`, () => {
      const frame = frames(id, () => createFrame(site.divisions[id] ?? emptyDivision));
      const placed = (html: string): string => withPrefix(html, prefix);
      return {
        ...frame,
        head: [placed(frame.head[0]), placed(frame.head[1])],
        header: createTemplate(placed(frame.header)),
        sidebarHead: createTemplate(placed(frame.sidebarHead)),
        footer: placed(frame.footer),
      };
    });

  const createFrame = (division: Division): Frame => {
    const language = sectionOf(site, division, "language");
    const tag = languageTag(language?.label);
    const words = stringsFor(tag);
    const banner: BannerConfig | undefined = language?.banner ?? config.banner;
    const context: FrameContext = {
      site,
      division,
      prefix: anyPrefix,
      links,
      icons: iconsAt(anyPrefix),
      words,
      navbar: language?.navbar ?? config.navbar,
      home: language && !language.default && language.landing !== undefined ? language.landing : site.homePage,
      imageSize: options.imageSize,
      search: searchFiles(division),
      renderInline,
    };
    const footer = language?.footer ?? config.footer;
    const hasFooter = footer.links.length > 0 || footer.socials.length > 0;
    const levels = levelsOf(site, division).filter((level) => switchedKinds.has(level.kind));
    const large = sidebars.treeOf(division).count > wholeSidebarEntries;
    return {
      division,
      words,
      language: tag,
      spoken: clientWords(words),
      attributes: themeTraits[config.theme].tabsBesideLogo && tabsFitBesideLogo(context) ? ` data-header="row"` : "",
      head: headFiles(manifest, links),
      menu: menuOf(words, false),
      specMenu: specFiles.size > 0 ? menuOf(words, true) : undefined,
      banner,
      bannerKey: banner && bannerKey(banner),
      header: htmlOf(Header(context)),
      sidebarHead: htmlOf(SidebarHead(context)),
      footer: hasFooter ? htmlOf(Footer({ footer, context })) : "",
      switches: levels.flatMap((level) => level.options.map((to) => ({ from: level.active, to }))),
      navScript: large ? navScriptOf(site, links, division, sidebars.treeOf(division)).outputPath : undefined,
    };
  };

  const menuOf = (words: Strings, hasSpec: boolean): PageMenu | undefined =>
    createPageMenu({
      config,
      words,
      icons: iconsAt(anyPrefix),
      links,
      marks: manifest.marks,
      isPublic: options.isPublic ?? false,
      hasSpec,
    });

  const searchFiles = (division: Division): SearchFiles | undefined => {
    const indexes = options.searchIndexes?.(division) ?? [];
    if (indexes.length === 0) return undefined;
    return { script: manifest.searchScript, stylesheet: manifest.parts["search"]!, indexes };
  };

  /** Links in it were written for the folder that the page stands in. */
  const bannerAt = ({ division, banner, words }: PlacedFrame, folder: string): string =>
    banner ? banners(`${division.id} ${folder}`, () => htmlOf(Banner({ banner, words, renderInline }))) : "";

  /** Where the site wants it in the side column, the button is for screens that have none. */
  const pageMenu = (frame: PlacedFrame, plan: PagePlan, markdown: PageMarkdown | undefined, hasSide: boolean) => {
    const spec = specFiles.get(plan.api?.spec ?? "");
    const menu = spec === undefined ? frame.menu : frame.specMenu;
    if (!menu || !markdown) return { button: "", list: "" };
    const place = { links, prefix: upToRoot(plan.outputPath) };
    const targets = { ...markdown, spec };
    const button = fillPageMenu(menu.button, menu, plan, targets, place);
    if (!hasSide || config.contextual?.display !== "toc") return { button, list: "" };
    const narrow = button.replace(/ id="[^"]*"/g, "").replace('class="', 'class="page-menu-narrow ');
    return { button: narrow, list: fillPageMenu(menu.list, menu, plan, targets, place) };
  };

  const document = (plan: PagePlan, rendered: RenderedPage, beside: PageBeside = {}): readonly string[] => {
    const prefix = upToRoot(plan.outputPath);
    const frame = frameAt(plan.division, prefix);
    const { words } = frame;
    const mode = pageModeOf(plan);
    const context: PageContext = { site, plan, prefix, links, icons: iconsAt(prefix), words, renderInline };
    const hasSide = mode === "default";
    const switches = new Map<string, string>();
    for (const { from, to } of frame.switches) {
      const page = to === from ? plan.index : from ? counterpart(plan, from, to) : to.landing;
      if (page !== undefined) switches.set(`s${to.id}`, ` href="${links.page(prefix, page)}"`);
    }
    const menu = pageMenu(frame, plan, beside.markdown, hasSide);
    const side = hasSide ? sideColumn(rendered, words, menu.list) : "";
    const title =
      mode === "custom" || mode === "frame"
        ? unseenTitle(plan, rendered)
        : htmlOf(PageHeader({ ...context, rendered, feed: beside.feed, menu: menu.button }));
    const panelHtml = hasSide ? rendered.panelHtml : undefined;
    const opening = `<div id="content" class="mdx-content prose">`;
    const { leadHtml } = rendered;
    const lead = leadHtml ? [`${title}<div class="page-lead">`, leadHtml, `</div>`] : [title];
    const panel = panelHtml ? [`<aside id="panel" class="panel-column">`, panelHtml, `</aside>${opening}`] : [opening];
    const start = [...lead.slice(0, -1), lead.at(-1)! + panel[0]!, ...panel.slice(1)];
    const after = mode === "custom" ? "" : htmlOf([DirectoryListing(context), Pagination(context)]);
    return documentOf({
      frame,
      prefix,
      urlPath: plan.urlPath,
      banner: bannerAt(frame, plan.outputPath.slice(0, plan.outputPath.lastIndexOf("/") + 1)),
      mode,
      title: plan.title,
      metadata: beside.metadata ?? "",
      stylesheets: rendered.stylesheets,
      switches,
      sidebar: sidebars.html(frame.division, prefix, plan.index, words),
      main: [...start, rendered.html, `</div>${after}`],
      side,
      hasOutline: side.includes("toc-nav"),
      hasPanel: Boolean(panelHtml),
    });
  };

  const notFound = (root = "", stylesheets: readonly string[] = []): readonly string[] => {
    const frame = frameAt(site.pages[site.homePage ?? 0]?.division ?? 0, root);
    const switches = new Map<string, string>();
    for (const { to } of frame.switches)
      if (to.landing !== undefined) switches.set(`s${to.id}`, ` href="${links.page(root, to.landing)}"`);
    const { title = frame.words.notFound, description } = config.notFound;
    const { redirectScript } = manifest;
    const redirects = redirectScript === undefined ? "" : `<script src="${links.file(root, redirectScript)}"></script>`;
    return documentOf({
      frame,
      prefix: root,
      urlPath: "/404",
      banner: bannerAt(frame, root),
      mode: "center",
      title,
      metadata: `<meta name="robots" content="noindex">${redirects}`,
      stylesheets,
      switches,
      sidebar: sidebars.html(frame.division, root, -1, frame.words),
      main: [notFoundBody({ site, links, prefix: root, words: frame.words, title, description, renderInline })],
      side: "",
      hasOutline: false,
      hasPanel: false,
    });
  };

  const documentOf = (parts: DocumentParts): readonly string[] => {
    const { frame, prefix, mode } = parts;
    const { words } = frame;
    const title = parts.title === config.name ? config.name : `${parts.title} - ${config.name}`;
    const own = parts.stylesheets.map((path) => styleLink(links.file(prefix, path))).join("");
    const banner = frame.bannerKey ? ` data-banner-key="${frame.bannerKey}"` : "";
    const nav = ` data-division="${frame.division.id}"`;
    const script = frame.navScript ? ` data-nav-script="${links.file(prefix, frame.navScript)}"` : "";
    const before =
      `<!doctype html>\n<html lang="${escapeHtml(frame.language)}" dir="${directionOf(frame.language)}"${rootAttributes(config)}${frame.attributes}` +
      ` data-mode="${mode}"${parts.hasOutline ? " data-outline" : ""} data-current-path="${escapeHtml(parts.urlPath)}" data-root="${escapeHtml(prefix)}" data-words="${escapeHtml(frame.spoken)}"${banner}>` +
      `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
      `<title>${escapeHtml(title)}</title>${parts.metadata}${frame.head[0]}${own}${frame.head[1]}</head>\n<body>` +
      `<a class="skip-link" href="#content-area">${escapeHtml(words.skip)}</a>` +
      `<div id="background-color" class="page-background" aria-hidden="true"></div>${parts.banner}` +
      `${fillTemplate(frame.header, [], parts.switches)}\n<div id="body-content" class="page-columns${config.theme === "almond" ? " almond-layout" : ""}">` +
      `<div id="sidebar" class="site-sidebar"><a class="sidebar-close icon-button" href="#" aria-label="${escapeHtml(words.close)}"></a>` +
      `<nav id="sidebar-content" class="sidebar-content" aria-label="${escapeHtml(words.pages)}"${nav}${script}>` +
      `${fillTemplate(frame.sidebarHead, [], parts.switches)}<div id="navigation-items">${parts.sidebar}</div></nav></div>\n` +
      `<main id="content-area" class="content-area${parts.hasPanel ? " with-panel" : ""}" tabindex="-1">`;
    const after = `</main>\n${parts.side}</div>${mode === "custom" ? "" : frame.footer}</body></html>\n`;
    const pieces = [...parts.main];
    pieces[0] = before + pieces[0]!;
    pieces[pieces.length - 1] += after;
    return withoutTakenIds(pieces);
  };

  const navScripts = (): NavScript[] =>
    site.divisions
      .filter((division) => sidebars.treeOf(division).count > wholeSidebarEntries)
      .map((division) => navScriptOf(site, links, division, sidebars.treeOf(division)));

  return { document, notFound, navScripts, faults: () => linkFaults(site, options.addresses) };
}

/** Specifications that are files of the bundle, by their key. */
function bundledSpecs({ specs, staticFiles }: Site): ReadonlyMap<string, string> {
  const files = new Set(staticFiles);
  return new Map(specs.filter(({ source }) => files.has(source)).map(({ key, source }) => [key, source]));
}

/** What the pages of one sidebar share, for any depth of output path. */
interface Frame {
  readonly division: Division;
  readonly words: Strings;
  readonly language: string;
  /** Words for the scripts of the page. */
  readonly spoken: string;
  /** Of the document element. */
  readonly attributes: string;
  /** Style sheets, icons and scripts: what stands before and behind the style sheets that a page has of its own. */
  readonly head: readonly [string, string];
  readonly menu?: PageMenu;
  /** The menu of pages that are made from a specification in the bundle; absent where there is none. */
  readonly specMenu?: PageMenu;
  readonly banner?: BannerConfig;
  readonly bannerKey?: string;
  readonly header: string;
  readonly sidebarHead: string;
  readonly footer: string;
  /** Ways from the section that the reader is in, if any, to those beside it. */
  readonly switches: readonly { readonly from: NavSection | undefined; readonly to: NavSection }[];
  readonly navScript?: string;
}
/** The same for one depth. */
interface PlacedFrame extends Omit<Frame, "header" | "sidebarHead"> {
  readonly header: Template;
  readonly sidebarHead: Template;
}

interface DocumentParts {
  readonly frame: PlacedFrame;
  readonly prefix: string;
  readonly urlPath: string;
  readonly banner: string;
  readonly mode: string;
  readonly title: string;
  readonly metadata: string;
  readonly stylesheets: readonly string[];
  readonly switches: ReadonlyMap<string, string>;
  readonly sidebar: string;
  /** HTML of ours and of the page in turn. */
  readonly main: readonly string[];
  readonly side: string;
  /** Said at the start, so that its room is kept before it comes. */
  readonly hasOutline: boolean;
  readonly hasPanel: boolean;
}

/** Sections that a switcher leads to, at the page that stands where the reader is. */
const switchedKinds: ReadonlySet<string> = new Set(["language", "version", "product", "dropdown"]);

/** A site without navigation has one sidebar with nothing in it. */
const emptyDivision: Division = { id: -1, sections: [0], entries: [], order: [] };

const styleLink = (href: string): string => `<link rel="stylesheet" href="${href}">`;

/**
 * The script that sets the colour mode comes first: it must have run before anything is painted. Our own style sheets
 * come before those of the site, which win.
 */
function headFiles(manifest: AssetManifest, links: Links): [string, string] {
  const { favicon } = manifest;
  const file = (path: string): string => links.file(anyPrefix, path);
  const icons = !favicon
    ? ""
    : favicon.light === favicon.dark
      ? `<link rel="icon" href="${file(favicon.light)}">`
      : (["light", "dark"] as const)
          .map((mode) => `<link rel="icon" href="${file(favicon[mode])}" media="(prefers-color-scheme: ${mode})">`)
          .join("");
  const [common = "", ...rest] = manifest.stylesheets.map((path) => styleLink(file(path)));
  const scripts = manifest.scripts.map((path) => `<script defer src="${file(path)}"></script>`).join("");
  return [`<script src="${file(manifest.headScript)}"></script>${common}`, rest.join("") + icons + scripts];
}

/** What style sheets and scripts read from the document element. */
function rootAttributes({ theme, appearance, background }: SiteSettings): string {
  const dark = appearance.default === "dark" ? ` class="dark"` : "";
  const decoration = background.decoration ? ` data-decoration="${background.decoration}"` : "";
  const strict = appearance.strict ? ` data-appearance-strict` : "";
  return `${dark} data-theme="${theme}" data-appearance="${appearance.default}"${strict}${decoration}`;
}

/** A page that brings its own layout may bring no heading; those who hear a page find their way by it. */
const unseenTitle = (plan: PagePlan, { html }: RenderedPage): string =>
  html.includes("<h1") ? "" : `<h1 class="visually-hidden">${escapeHtml(plan.title)}</h1>`;

function sideColumn(rendered: RenderedPage, words: Strings, menu: string): string {
  const toc =
    rendered.toc.length > 1 && !rendered.panelHtml ? TableOfContents({ words, toc: rendered.toc }) : undefined;
  if (!toc && menu === "") return "";
  return `<aside id="table-of-contents-layout" class="side-column">${htmlOf(toc)}${menu}</aside>\n`;
}
