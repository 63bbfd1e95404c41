import { escapeHtml } from "../../lib/html/escape.js";
import { directionOf, ownDirection } from "../../lib/language/index.js";
import type { SiteSettings } from "../../site/config/index.js";
import type { PlacedChrome } from "./chrome/chrome.js";
import { withoutTakenIds } from "./chrome/hooks.js";
import { deferredScript, fillTemplate, styleLink } from "./html.js";
import type { Links } from "./settings-links.js";

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
  /** HTML of the chrome and of the page in turn. */
  readonly main: readonly string[];
  /** Likewise, beside the text: an outline, or more than one piece for a panel of examples. */
  readonly side: readonly string[];
}

/** The document in pieces of whole tags. */
export function writeDocument(content: DocumentContent, config: SiteSettings, links: Links): readonly string[] {
  const { chrome, prefix, mode } = content;
  const { messages } = chrome;
  const title = content.title === config.name ? config.name : `${content.title} - ${config.name}`;
  const stylesheets = content.stylesheets.map((path) => styleLink(links.file(prefix, path))).join("");
  const scripts = content.scripts.map((path) => deferredScript(links.file(prefix, path))).join("");
  const banner = chrome.bannerKey ? ` data-banner-key="${chrome.bannerKey}"` : "";
  const nav = ` data-division="${chrome.division.id}"`;
  const [side = "", ...rest] = content.side;
  const direction = ownDirection(content.title, content.urlPath, chrome.language);
  // At the start of the document, so that the layout reserves the space.
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
  // A piece of its own: with its messages, which are not all Latin-1, V8 would take twice the memory for the rest.
  return withoutTakenIds([top, "", ...pieces]);
}

/** Settings that style sheets and scripts read from the document element. */
function rootAttributes({ theme, appearance, background }: SiteSettings): string {
  const dark = appearance.default === "dark" ? ` class="dark"` : "";
  const decoration = background.decoration ? ` data-decoration="${background.decoration}"` : "";
  const strict = appearance.strict ? ` data-appearance-strict` : "";
  return `${dark} data-theme="${theme}" data-appearance="${appearance.default}"${strict}${decoration}`;
}
