import { escapeHtml } from "../../lib/html/escape.js";
import { directionOf, type Messages, ownDirection } from "../../lib/language/index.js";
import { createMemo } from "../../lib/memo.js";
import type { SiteSettings } from "../../site/config/index.js";
import { upToRoot } from "../../site/links/index.js";
import type { PagePlan } from "../../site/site.js";
import type { RenderedPage } from "../render/index.js";
import { createChrome, type PlacedChrome } from "./chrome/chrome.js";
import { bannerOf } from "./chrome/header.js";
import { withoutTakenIds } from "./chrome/hooks.js";
import { type NavScript, navScriptOf } from "./chrome/nav-tree.js";
import { fillPageMenu, type PageMarkdown } from "./chrome/page-menu.js";
import { createSidebars, wholeSidebarEntries } from "./chrome/sidebar.js";
import { createCounterparts } from "./counterparts.js";
import { deferredScript, fillTemplate, htmlOf, styleLink } from "./html.js";
import { createIcons, type Icons } from "./icons.js";
import {
  DirectoryListing,
  notFoundBody,
  type PageContext,
  PageHeader,
  Pagination,
  pageModeOf,
  SourceLinks,
  tableOfContents,
} from "./page.js";
import { printedSections, sectionsByPage } from "./sections.js";
import { anyPrefix, createLinks, type LinkFaults, type Links, linkFaults } from "./settings-links.js";
import type { ThemeOptions } from "./theme-options.js";

/** Parts of a page that other stages provide. */
export interface PageExtras {
  /** Metadata elements of the head; charset, viewport, title and icons are added by the document. */
  readonly metadata?: string;
  /** Output path of the page's feed, if it has one. */
  readonly feed?: string;
  /** Absent if the page has no menu. */
  readonly markdown?: PageMarkdown;
}

export interface Theme {
  /** The document of a page at its output path, in pieces that never split a tag. Joining them would cost a copy. */
  document(plan: PagePlan, rendered: RenderedPage, beside?: PageExtras): readonly string[];
  /**
   * The document of `404.html`. Servers show it at any URL, so its links start with `root`, the path of the site
   * (`/docs/`). Without `root` they are relative, for a page opened at its own path.
   */
  notFound(root?: string, stylesheets?: readonly string[]): readonly string[];
  /** The scripts of large sidebars. */
  navScripts(): readonly NavScript[];
  /** Broken links of header, footer and navigation. */
  faults(): LinkFaults;
}

/**
 * Prepares the chrome that pages share. It is rendered on demand, once for each sidebar; links are resolved once for
 * each depth, and marks are filled in for each page. So a page costs the same in a site of any size.
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
  const banners = createMemo<string>(256);
  const sections = sectionsByPage(config.contextual?.print ? printedSections(site) : []);
  const chromeAt = createChrome(options, { links, icons: iconsAt(anyPrefix), sidebars });

  /** The banner, with links relative to the folder of the page. */
  const bannerAt = ({ division, banner, messages }: PlacedChrome, folder: string): string =>
    banner ? banners(`${division.id} ${folder}`, () => htmlOf(bannerOf(banner, messages, renderInline))) : "";

  /** The button and the list of the page menu. If the side column has the list, the button is for narrow screens. */
  const pageMenu = (chrome: PlacedChrome, plan: PagePlan, markdown: PageMarkdown | undefined, hasSide: boolean) => {
    const pageMenuSettings = plan.contextual;
    const contextual = pageMenuSettings ?? config.contextual;
    const spec = contextual?.options.includes("download-spec") ? options.specFile?.(plan.api?.spec ?? "") : undefined;
    const section = pageMenuSettings?.options.length === 0 ? undefined : sections.get(plan.index)?.outputPath;
    const menu = chrome.menuFor(
      { spec: spec !== undefined, section: section !== undefined },
      pageMenuSettings?.options,
    );
    if (!menu || !markdown) return { button: "", list: "" };
    const at = { links, prefix: upToRoot(plan.outputPath) };
    const targets = { ...markdown, spec, section };
    const button = fillPageMenu(menu.button, menu, plan, targets, at);
    if (!hasSide || contextual?.display !== "toc") return { button, list: "" };
    const narrow = button.replace(/ id="[^"]*"/g, "").replace('class="', 'class="page-menu-narrow ');
    return { button: narrow, list: fillPageMenu(menu.list, menu, plan, targets, at) };
  };

  const document = (plan: PagePlan, rendered: RenderedPage, beside: PageExtras = {}): readonly string[] => {
    const prefix = upToRoot(plan.outputPath);
    const chrome = chromeAt(plan.division, prefix);
    const { messages } = chrome;
    const mode = pageModeOf(plan);
    const context: PageContext = { site, plan, prefix, links, icons: iconsAt(prefix), messages, renderInline };
    const hasSide = mode === "default";
    const switches = new Map<string, string>();
    for (const { from, to } of chrome.switches) {
      const page = from ? counterpart(plan, from, to) : to.landing;
      // A page of a model is not among the site's pages, so link to itself by its path.
      const path = to === from ? plan.outputPath : page === undefined ? undefined : site.pages[page]!.outputPath;
      if (path !== undefined) switches.set(`s${to.id}`, ` href="${links.file(prefix, path)}"`);
    }
    const menu = pageMenu(chrome, plan, beside.markdown, hasSide);
    const title =
      mode === "custom" || mode === "frame"
        ? hiddenTitle(plan, rendered)
        : htmlOf(PageHeader({ ...context, rendered, feed: beside.feed, menu: menu.button }));
    const opening = `<div id="content" class="mdx-content prose">`;
    const { leadHtml } = rendered;
    const start = leadHtml ? [`${title}<div class="page-lead">`, leadHtml, `</div>${opening}`] : [`${title}${opening}`];
    const after =
      mode === "custom" ? "" : htmlOf([DirectoryListing(context), SourceLinks(context), Pagination(context)]);
    return writeDocument(
      {
        chrome,
        prefix,
        urlPath: plan.urlPath,
        banner: bannerAt(chrome, plan.outputPath.slice(0, plan.outputPath.lastIndexOf("/") + 1)),
        mode,
        title: plan.title,
        metadata: beside.metadata ?? "",
        stylesheets: rendered.stylesheets,
        scripts: rendered.scripts,
        switches,
        sidebar: sidebars.html(chrome.division, prefix, plan.index, messages),
        main: [...start, loadFirstImage(rendered.html), `</div>${after}`],
        side: hasSide ? sideColumn(rendered, messages, menu.list) : [""],
      },
      config,
      links,
    );
  };

  const notFound = (root = "", stylesheets: readonly string[] = []): readonly string[] => {
    const chrome = chromeAt(site.pages[site.homePage ?? 0]?.division ?? 0, root);
    const switches = new Map<string, string>();
    for (const { to } of chrome.switches)
      if (to.landing !== undefined) switches.set(`s${to.id}`, ` href="${links.page(root, to.landing)}"`);
    const { title = chrome.messages.notFound, description } = config.notFound;
    const { redirectScript, diskScript, parts } = manifest;
    const ownStylesheet = parts["not-found"];
    const redirects = redirectScript === undefined ? "" : `<script src="${links.file(root, redirectScript)}"></script>`;
    // A relative URL, because the script must load from disk, where the other links do not work.
    const disk = root === "" || !diskScript ? "" : deferredScript(links.file("", diskScript));
    return writeDocument(
      {
        chrome,
        prefix: root,
        urlPath: "/404",
        banner: bannerAt(chrome, root),
        mode: "center",
        title,
        metadata: `<meta name="robots" content="noindex">${disk}${redirects}`,
        scripts: [],
        stylesheets: ownStylesheet === undefined ? stylesheets : [...stylesheets, ownStylesheet],
        switches,
        sidebar: sidebars.html(chrome.division, root, -1, chrome.messages),
        main: [notFoundBody({ ...options, links, prefix: root, messages: chrome.messages }, title, description)],
        side: [""],
      },
      config,
      links,
    );
  };

  const navScripts = (): NavScript[] =>
    site.divisions
      .filter((division) => sidebars.treeOf(division).count > wholeSidebarEntries)
      .map((division) => navScriptOf(site, links, division, sidebars.treeOf(division)));

  return { document, notFound, navScripts, faults: () => linkFaults(site, options.addresses) };
}

/** A title for screen readers, for pages with their own layout and no heading. */
const hiddenTitle = (plan: PagePlan, { html }: RenderedPage): string =>
  html.includes("<h1") ? "" : `<h1 class="visually-hidden">${escapeHtml(plan.title)}</h1>`;

/** The side column: examples or outline, then the page menu. Pieces alternate between chrome and page. */
function sideColumn({ panelHtml, toc }: RenderedPage, messages: Messages, menu: string): readonly string[] {
  const opening = (className: string) => `<aside id="content-side-layout" class="${className}">`;
  // The element at the end tells style sheets that the examples have loaded.
  if (panelHtml)
    return [
      `${opening("panel-column")}<div id="panel">`,
      panelHtml,
      `</div>${menu}</aside><span class="panel-end" hidden></span>`,
    ];
  if (toc.length <= 1 && menu === "") return [""];
  const outline = toc.length > 1 ? htmlOf(tableOfContents(messages, toc)) : "";
  return [`${opening("side-column")}${outline}${menu}</aside>`];
}

/** About as many characters of HTML as fill a window. */
const firstScreen = 4000;
const lazyImage = '<img loading="lazy"';

/** Images load when they come near the window, but one at the start of a page should load at once. */
function loadFirstImage(html: string): string {
  const at = html.slice(0, firstScreen).indexOf(lazyImage);
  return at < 0 ? html : `${html.slice(0, at)}<img fetchpriority="high"${html.slice(at + lazyImage.length)}`;
}

interface DocumentContent {
  readonly chrome: PlacedChrome;
  readonly prefix: string;
  readonly urlPath: string;
  readonly banner: string;
  readonly mode: string;
  readonly title: string;
  readonly metadata: string;
  readonly stylesheets: readonly string[];
  readonly scripts: readonly string[];
  readonly switches: ReadonlyMap<string, string>;
  readonly sidebar: string;
  /** Pieces of HTML, alternately of the chrome and of the page. */
  readonly main: readonly string[];
  /** The side column in the same form: one piece for an outline, several for a panel of examples. */
  readonly side: readonly string[];
}

/** Returns the document in pieces that never split a tag. */
function writeDocument(content: DocumentContent, config: SiteSettings, links: Links): readonly string[] {
  const { chrome, prefix, mode } = content;
  const { messages } = chrome;
  const title = content.title === config.name ? config.name : `${content.title} - ${config.name}`;
  const stylesheets = content.stylesheets.map((path) => styleLink(links.file(prefix, path))).join("");
  const scripts = content.scripts.map((path) => deferredScript(links.file(prefix, path))).join("");
  const banner = chrome.bannerKey ? ` data-banner-key="${chrome.bannerKey}"` : "";
  const nav = ` data-division="${chrome.division.id}"`;
  const [side = "", ...rest] = content.side;
  const direction = ownDirection(content.title, content.urlPath, chrome.language);
  // Set on the root element, so that the layout reserves the space at once.
  const outline = side.includes("toc-nav") ? " data-outline" : "";
  const script = chrome.navScript ? ` data-nav-script="${links.file(prefix, chrome.navScript)}"` : "";
  const top =
    `<!doctype html>\n<html lang="${escapeHtml(chrome.language)}" dir="${directionOf(chrome.language)}"${rootAttributes(config)}${chrome.attributes}` +
    ` data-mode="${mode}"${outline} data-current-path="${escapeHtml(content.urlPath)}" data-root="${escapeHtml(prefix)}" data-words="${escapeHtml(chrome.spoken)}"${banner}>` +
    `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>${escapeHtml(title)}</title>${content.metadata}${chrome.head[0]}${stylesheets}${chrome.head[1]}${scripts}</head>\n<body>` +
    `<a class="skip-link" href="#content-container">${escapeHtml(messages.skip)}</a>` +
    `<div id="background-color" class="page-background" aria-hidden="true"></div>${content.banner}` +
    `${fillTemplate(chrome.header, [], content.switches)}\n`;
  const before =
    `<div id="body-content" class="page-columns${config.theme === "almond" ? " almond-layout" : ""}">` +
    `<div id="sidebar" class="site-sidebar"><a class="sidebar-close icon-button" href="#" aria-label="${escapeHtml(messages.close)}"></a>` +
    `<nav id="sidebar-content" class="sidebar-content" aria-label="${escapeHtml(messages.pages)}"${nav}${script}>` +
    `${fillTemplate(chrome.switchers, [], content.switches)}<div id="navigation-items">` +
    `${fillTemplate(chrome.anchors, [], content.switches)}${content.sidebar}</div></nav></div>\n` +
    `<main id="content-container" class="content-container${rest.length > 0 ? " with-panel" : ""}" tabindex="-1">` +
    `<div id="content-area" class="content-area"${direction}>`;
  const footer = mode === "custom" ? "" : chrome.footer;
  const [ofText, ofSite] = chrome.hasWideFooter ? ["", footer] : [footer, ""];
  const pieces = [...content.main];
  pieces[0] = before + pieces[0]!;
  pieces[pieces.length - 1] += `${ofText}</div>\n${side.replace(/^<\w+/, `$&${direction}`)}`;
  pieces.push(...rest);
  pieces[pieces.length - 1] += `</main></div>${ofSite}</body></html>\n`;
  // `top` is separate, because its messages are not all Latin-1, so that V8 would need twice the memory for the rest.
  return withoutTakenIds([top, "", ...pieces]);
}

/** Settings that style sheets and scripts read from the document element. */
function rootAttributes({ theme, appearance, background }: SiteSettings): string {
  const dark = appearance.default === "dark" ? ` class="dark"` : "";
  const decoration = background.decoration ? ` data-decoration="${background.decoration}"` : "";
  const strict = appearance.strict ? ` data-appearance-strict` : "";
  return `${dark} data-theme="${theme}" data-appearance="${appearance.default}"${strict}${decoration}`;
}
