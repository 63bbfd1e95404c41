/**
 * From a rendered page to a finished document: header, tabs, sidebar, table of contents, previous and next page, and
 * footer around the page's HTML.
 *
 * In:  the `Site`, the `AssetManifest`, and for each page its plan and its `RenderedPage`.
 * Out: HTML that starts with the doctype, without inline scripts and style attributes; every link is relative.
 */

export { chromeIds } from "./chrome/hooks.js";
export type { NavScript } from "./chrome/nav-tree.js";
export { navigationIcons, pictureOfIcon } from "./icons.js";
export { type PrintedEntry, type PrintedSection, printedPages, printedSections } from "./printed-sections.js";
export { createTheme, type PageExtras, type Theme } from "./theme.js";
export type { AssetManifest, ThemeOptions } from "./theme-options.js";
