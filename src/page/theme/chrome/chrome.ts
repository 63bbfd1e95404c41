import { clientMessages, languageTag, type Messages, messagesFor, nearestLocale } from "../../../lib/language/index.js";
import { createMemo } from "../../../lib/memo.js";
import type { Banner as BannerConfig, ContextualOption } from "../../../site/config/index.js";
import type { Division, NavSection } from "../../../site/site.js";
import { divisionProducts } from "../../../site/site.js";
import { createTemplate, deferredScript, htmlOf, styleLink, type Template } from "../html.js";
import type { Icons } from "../icons.js";
import { levelsOf, sectionOf } from "../sections.js";
import { anyPrefix, type Links, withPrefix } from "../settings-links.js";
import type { AssetManifest, ThemeOptions } from "../theme-options.js";
import type { ChromeContext } from "./chrome-context.js";
import { footerOf } from "./footer.js";
import { bannerKey, Header, tabsFitBesideLogo } from "./header.js";
import type { AssistantFiles, SearchFiles } from "./launchers.js";
import { navScriptOf } from "./nav-tree.js";
import { createPageMenu, type PageMenu } from "./page-menu.js";
import { SidebarAnchors, SidebarSwitchers, type Sidebars, wholeSidebarEntries } from "./sidebar.js";

/** The parts that all pages of one sidebar share, at any depth. */
export interface Chrome {
  readonly division: Division;
  readonly messages: Messages;
  readonly language: string;
  /** Messages for the scripts of the page, as text. */
  readonly spoken: string;
  /** Attributes of the document element. */
  readonly attributes: string;
  /** Style sheets, icons and scripts, before and after the page's own style sheets. */
  readonly head: readonly [string, string];
  /** The menu of pages with these properties; undefined if it is empty. @param own options of a single page. */
  readonly menuFor: (
    has: { readonly spec: boolean; readonly section: boolean },
    own?: readonly ContextualOption[],
  ) => PageMenu | undefined;
  readonly banner?: BannerConfig;
  readonly bannerKey?: string;
  readonly header: string;
  /** Switchers above the groups of the sidebar. */
  readonly switchers: string;
  readonly anchors: string;
  readonly footer: string;
  /** Whether the footer has columns of links, which are as wide as the page. */
  readonly hasWideFooter: boolean;
  /** Links from the reader's section, if any, to its siblings. */
  readonly switches: readonly { readonly from: NavSection | undefined; readonly to: NavSection }[];
  readonly navScript?: string;
}

/** The chrome at one depth. */
export interface PlacedChrome extends Omit<Chrome, "header" | "switchers" | "anchors"> {
  readonly header: Template;
  readonly switchers: Template;
  readonly anchors: Template;
}

/** Tools for rendering the chrome, besides the options of the theme. */
interface ChromeDeps {
  readonly links: Links;
  /** Icons whose links contain the prefix placeholder. */
  readonly icons: Icons;
  readonly sidebars: Sidebars;
}

/** Creates the chrome of divisions: each is rendered once, and its links are resolved once a depth. */
export function createChrome(options: ThemeOptions, deps: ChromeDeps): (id: number, prefix: string) => PlacedChrome {
  const { site, manifest, renderInline } = options;
  const { links, icons, sidebars } = deps;
  const { config } = site;
  const products = divisionProducts(site);
  // A limit, because the chrome of one sidebar takes 100 kB on a site with 136 versions.
  const rendered = createMemo<Chrome>(64);
  const placed = createMemo<PlacedChrome>(64);

  const renderChrome = (division: Division): Chrome => {
    const language = sectionOf(site, division, "language");
    const tag = languageTag(language?.label);
    const messages = messagesFor(tag);
    /** Of the innermost entry of the navigation that has its own, or else of the site. */
    const frameOf = <Key extends "banner" | "footer" | "navbar">(key: Key) =>
      division.sections.map((id) => site.sections[id]?.[key]).findLast((part) => part !== undefined) ?? config[key];
    const banner: BannerConfig | undefined = frameOf("banner");
    const context: ChromeContext = {
      site,
      division,
      prefix: anyPrefix,
      links,
      icons,
      messages,
      navbar: frameOf("navbar"),
      home: language && !language.default && language.landing !== undefined ? language.landing : site.homePage,
      imageSize: options.imageSize,
      search: searchFiles(division),
      assistant: assistantFiles(division, tag),
      renderInline,
    };
    const footer = frameOf("footer");
    const hasFooter = footer.links.length > 0 || footer.socials.length > 0;
    const levels = levelsOf(site, division).filter((level) => switchedKinds.has(level.kind));
    const menus = createMemo<PageMenu | undefined>(256);
    const large = sidebars.treeOf(division).count > wholeSidebarEntries;
    return {
      division,
      messages,
      language: tag,
      spoken: clientMessages(messages),
      attributes: tabsFitBesideLogo(context) ? ` data-header="row"` : "",
      head: headFiles(manifest, links),
      menuFor: (has, own) =>
        menus(`${has.spec} ${has.section} ${own ? JSON.stringify(own) : ""}`, () =>
          createPageMenu({
            options: own ?? config.contextual?.options ?? [],
            messages,
            icons,
            links,
            marks: manifest.marks,
            isPublic: options.isPublic ?? false,
            hasAssistant: manifest.assistant !== undefined,
            mcp: manifest.mcp,
            siteName: config.name,
            hasSpec: has.spec,
            hasSection: has.section,
          }),
        ),
      banner,
      bannerKey: banner && bannerKey(banner),
      header: htmlOf(Header(context)),
      switchers: htmlOf(SidebarSwitchers(context)),
      anchors: htmlOf(SidebarAnchors(context)),
      footer: hasFooter ? htmlOf(footerOf(footer, context)) : "",
      hasWideFooter: footer.links.length > 0,
      switches: levels.flatMap((level) => level.options.map((to) => ({ from: level.active, to }))),
      navScript: large ? navScriptOf(site, links, division, sidebars.treeOf(division)).outputPath : undefined,
    };
  };

  const searchFiles = (division: Division): SearchFiles | undefined => {
    const indexes = options.searchIndexes?.(division) ?? [];
    if (indexes.length === 0) return undefined;
    const product = products[division.id] ?? 0;
    return { script: manifest.searchScript, stylesheet: manifest.parts["search"]!, indexes, product };
  };

  const assistantFiles = (division: Division, tag: string): AssistantFiles | undefined => {
    const { assistant } = manifest;
    if (!assistant) return undefined;
    const { script, stylesheet, settings } = assistant;
    const version = sectionOf(site, division, "version")?.label;
    const language = sectionOf(site, division, "language") && tag;
    return { files: [settings[nearestLocale(tag)]!, stylesheet, script], version, language };
  };

  return (id, prefix) =>
    placed(`${id} ${prefix}`, () => {
      const chrome = rendered(id, () => renderChrome(site.divisions[id] ?? emptyDivision));
      const place = (html: string): string => withPrefix(html, prefix);
      return {
        ...chrome,
        head: [place(chrome.head[0]), place(chrome.head[1])],
        header: createTemplate(place(chrome.header)),
        switchers: createTemplate(place(chrome.switchers)),
        anchors: createTemplate(place(chrome.anchors)),
        footer: place(chrome.footer),
      };
    });
}

/** Kinds of sections whose switcher links to the counterpart of the current page. */
const switchedKinds: ReadonlySet<string> = new Set(["language", "version", "product", "dropdown"]);

/** The empty sidebar of a site without navigation. */
const emptyDivision: Division = { id: -1, sections: [0], entries: [], order: [] };

/** The script for the colour mode runs before the first paint. Our style sheets yield to those of the site. */
function headFiles(manifest: AssetManifest, links: Links): [string, string] {
  const { favicon } = manifest;
  const file = (path: string): string => links.file(anyPrefix, path);
  const icons =
    favicon.light === favicon.dark
      ? `<link rel="icon" href="${file(favicon.light)}">`
      : (["light", "dark"] as const)
          .map((mode) => `<link rel="icon" href="${file(favicon[mode])}" media="(prefers-color-scheme: ${mode})">`)
          .join("");
  const [common = "", ...rest] = manifest.stylesheets.map((path) => styleLink(file(path)));
  const scripts = manifest.scripts.map((path) => deferredScript(file(path))).join("");
  return [`<script src="${file(manifest.headScript)}"></script>${common}`, rest.join("") + icons + scripts];
}
