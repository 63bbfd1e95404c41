import { escapeHtml } from "../../lib/html/escape.js";
import type { Messages } from "../../lib/language/index.js";
import { createMemo } from "../../lib/memo.js";
import { upToRoot } from "../../site/links/index.js";
import type { PagePlan } from "../../site/site.js";
import type { RenderedPage } from "../render/index.js";
import { bannerOf } from "./chrome/banner.js";
import { createChrome, type PlacedChrome } from "./chrome/chrome.js";
import { type NavScript, navScriptOf } from "./chrome/nav-tree.js";
import { fillPageMenu, type PageMarkdown } from "./chrome/page-menu.js";
import { createSidebars, wholeSidebarEntries } from "./chrome/sidebar.js";
import { createCounterparts } from "./counterparts.js";
import { deferredScript, htmlOf } from "./html.js";
import { createIcons, type Icons } from "./icons.js";
import { notFoundBody } from "./not-found.js";
import {
  DirectoryListing,
  type PageContext,
  PageHeader,
  Pagination,
  pageModeOf,
  SourceLinks,
  tableOfContents,
} from "./page.js";
import { printedSections, sectionsByPage } from "./printed-sections.js";
import { anyPrefix, createLinks, type LinkFaults, linkFaults } from "./settings-links.js";
import type { ThemeOptions } from "./theme-options.js";
import { writeDocument } from "./write-document.js";

/** What other rooms provide for a page. */
export interface PageExtras {
  /** Metadata elements of the head; charset, viewport, title and icons are added by the document. */
  readonly metadata?: string;
  /** Output path of the page's feed, if it has one. */
  readonly feed?: string;
  /** Without it the page has no menu. */
  readonly markdown?: PageMarkdown;
}

export interface Theme {
  /**
   * The HTML document of a page at its output path, in pieces of whole tags, because joining them would copy a long text
   * once more.
   */
  document(plan: PagePlan, rendered: RenderedPage, beside?: PageExtras): readonly string[];
  /**
   * The document of `404.html`. Servers show it at any address, so its links start with `root`, the path of the site's
   * address (`/docs/`). Without `root` they are relative, for a page opened at its own path.
   */
  notFound(root?: string, stylesheets?: readonly string[]): readonly string[];
  /** Large sidebars as scripts, to be written once. */
  navScripts(): readonly NavScript[];
  /** Broken links of header, footer and navigation. */
  faults(): LinkFaults;
}

/**
 * Prepares the chrome that pages share. It is rendered on demand once a sidebar; its links are resolved once a depth, and
 * the marks of the current page are filled in. So a page costs the same in a site of any size.
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

  /** The links of a banner are resolved for the folder of the page. */
  const bannerAt = ({ division, banner, messages }: PlacedChrome, folder: string): string =>
    banner ? banners(`${division.id} ${folder}`, () => htmlOf(bannerOf(banner, messages, renderInline))) : "";

  /** If the side column has the menu, the button is for screens without that column. */
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
      // Pages of models are not among the site's pages.
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
    // Relative, because it has to run from disk, where the other links lead nowhere.
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

/** Pages with their own layout may have no heading, which screen readers need. */
const hiddenTitle = (plan: PagePlan, { html }: RenderedPage): string =>
  html.includes("<h1") ? "" : `<h1 class="visually-hidden">${escapeHtml(plan.title)}</h1>`;

/** The examples of the page or its outline, then the page menu: HTML of the chrome and of the page alternately. */
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

/** About as much HTML as fills a window. */
const firstScreen = 4000;
const lazyImage = '<img loading="lazy"';

/** Images load when they come near the window. An image at the start of a page loads at once. */
function loadFirstImage(html: string): string {
  const at = html.slice(0, firstScreen).indexOf(lazyImage);
  return at < 0 ? html : `${html.slice(0, at)}<img fetchpriority="high"${html.slice(at + lazyImage.length)}`;
}
