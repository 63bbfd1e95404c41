import { posix } from "node:path";
import { escapeAttribute, escapeHtml } from "../../lib/html/escape.js";
import { directionOf, messagesFor } from "../../lib/language/index.js";
import { decodePercent, encodePath } from "../../lib/url/index.js";
import { type PrintedEntry, type PrintedSection, printedPages } from "../../page/theme/sections.js";
import type { AssetManifest } from "../../page/theme/theme-options.js";
import { relativeHref, upToRoot } from "../../site/links/index.js";
import type { Site } from "../../site/site.js";

interface PrintedDocumentOptions {
  readonly site: Site;
  readonly assets: AssetManifest;
  /** Style sheets that a page needs besides those of every page. */
  readonly stylesheetsOf: (page: number) => readonly string[];
  /** The document of a page, by its output path. */
  readonly readPage: (outputPath: string) => Promise<string>;
}

/** A section of the site as one document, whose headings nest as the navigation. One page is in memory at a time. */
export async function* printedDocument(
  section: PrintedSection,
  options: PrintedDocumentOptions,
): AsyncGenerator<string> {
  const { site, readPage } = options;
  const indexes = new Map(printedPages(section.entries).map((page) => [site.pages[page]!.outputPath, page]));
  yield opening(section, [...indexes.values()], options);
  for (const { entry, level } of inOrder(section.entries, 2)) {
    if (entry.type === "group") {
      yield `<h${level} class="printed-group">${escapeHtml(entry.label)}</h${level}>\n`;
      continue;
    }
    const { page } = entry;
    const { outputPath } = site.pages[page]!;
    const html = movePage(bodyOf(await readPage(outputPath)), {
      from: outputPath,
      to: section.outputPath,
      page,
      levels: level - 1,
      pageAt: (path) => indexes.get(posix.normalize(path)),
    });
    yield `<article id="${pageId(page)}" class="printed-page">${html}</article>\n`;
  }
  yield "</main></body></html>\n";
}

function opening(
  { outputPath, label, around, language, entries }: PrintedSection,
  pages: readonly number[],
  { site, assets, stylesheetsOf }: PrintedDocumentOptions,
): string {
  const { config } = site;
  const messages = messagesFor(language);
  const href = (path: string): string => relativeHref(outputPath, path);
  const [common = "", ...rest] = assets.stylesheets;
  const parts = new Set(pages.flatMap((page) => stylesheetsOf(page)));
  const sheets = [common, ...parts, ...rest, assets.parts["printed"]!];
  const links = sheets.map((path) => `<link rel="stylesheet" href="${href(path)}">`).join("");
  const script = assets.printScript === undefined ? "" : `<script defer src="${href(assets.printScript)}"></script>`;
  const heading = [config.name, ...around].map(escapeHtml).join(" · ");
  return (
    `<!doctype html>\n<html lang="${escapeHtml(language)}" dir="${directionOf(language)}" data-theme="${config.theme}" data-mode="wide" data-root="../">` +
    `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>${escapeHtml(label)} - ${escapeHtml(config.name)}</title><meta name="robots" content="noindex">${links}${script}</head>\n` +
    `<body><main class="printed"><header class="printed-cover"><p class="printed-site">${heading}</p>` +
    `<h1 class="printed-title">${escapeHtml(label)}</h1>` +
    `<button type="button" id="print" class="button-primary" hidden>${escapeHtml(messages.printSection)}</button></header>\n` +
    `<nav class="printed-contents" aria-labelledby="contents"><p id="contents">${escapeHtml(messages.pages)}</p>${contents(entries, site)}</nav>\n`
  );
}

const contents = (entries: readonly PrintedEntry[], site: Site): string =>
  `<ol>${entries
    .map((entry) =>
      entry.type === "page"
        ? `<li><a href="#${pageId(entry.page)}">${escapeHtml(site.pages[entry.page]!.title)}</a></li>`
        : `<li>${escapeHtml(entry.label)}${contents(entry.entries, site)}</li>`,
    )
    .join("")}</ol>`;

/** @param level of the headings of these entries. */
function* inOrder(
  entries: readonly PrintedEntry[],
  level: number,
): Generator<{ readonly entry: PrintedEntry; readonly level: number }> {
  for (const entry of entries) {
    yield { entry, level: Math.min(6, level) };
    if (entry.type === "group") yield* inOrder(entry.entries, level + 1);
  }
}

/** The content of a document's `main`. */
function bodyOf(html: string): string {
  const start = html.indexOf(">", html.indexOf("<main")) + 1;
  return html.slice(start, html.lastIndexOf("</main>"));
}

/** A page that becomes a part of a document. */
interface PageMove {
  /** Output paths of the page and of the document. */
  readonly from: string;
  readonly to: string;
  /** Index of the page, which makes its ids unique. */
  readonly page: number;
  /** By how many levels its headings go down. */
  readonly levels: number;
  /** Index of a page of the document, by output path; undefined for other paths. */
  readonly pageAt: (outputPath: string) => number | undefined;
}

/** Id of a page in the document. Those of the page itself become `p12-install`. */
const pageId = (page: number): string => `p${page}`;

/**
 * Moves the HTML of a page into a document of several pages: ids become unique, links to pages of the document lead to
 * their place in it, other relative links start at the document, and headings go down. Everything that opens is open, and
 * pictures load at once, since a printer does not scroll.
 *
 * @param html as `writeHtml` writes it: values are in double quotes.
 */
export function movePage(html: string, move: PageMove): string {
  const idPrefix = `${pageId(move.page)}-`;
  const root = upToRoot(move.to);

  const relink = (written: string): string => {
    const value = decode(written);
    if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(value)) return written;
    const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/s.exec(value) ?? [];
    const target = path === "" ? move.from : posix.join(posix.dirname(move.from), decodePercent(path));
    const page = move.pageAt(target);
    if (page === undefined) return escapeAttribute(root + encodePath(target) + query + (fragment && `#${fragment}`));
    const isPlace = fragment !== "" && fragment !== "top" && !fragment.startsWith(":~:");
    return escapeAttribute(`#${pageId(page)}${isPlace ? `-${fragment}` : ""}`);
  };
  const relinkCss = (css: string): string =>
    css.replace(/url\((&quot;|'|)([^"'()&]*)\1\)/g, (_, quote: string, url: string) =>
      url.startsWith("#") ? `url(${quote}#${idPrefix}${url.slice(1)}${quote})` : `url(${quote}${relink(url)}${quote})`,
    );

  const attribute = (tag: string, whole: string, name: string, value: string): string => {
    if (name === "id") return ` id="${idPrefix}${value}"`;
    if (links.has(name)) return ` ${name}="${relink(value)}"`;
    if (references.has(name)) return ` ${name}="${value.replace(/[^\s]+/g, (id) => idPrefix + id)}"`;
    if (name === "srcset") return ` srcset="${value.replace(/(^|,\s+)(\S+)/g, (_, gap, url) => gap + relink(url))}"`;
    // Only one `details` of a name can be open.
    if (name === "name") return tag === "details" ? "" : ` name="${idPrefix}${value}"`;
    if (name === "loading") return "";
    return paints.test(name) && value.includes("url(") ? ` ${name}="${relinkCss(value)}"` : whole;
  };
  return html.replace(tags, (whole, close: string, tag: string, attributes: string, end: string) => {
    const level = heading.test(tag) ? Number(tag[1]) : undefined;
    const name = level === undefined ? tag : `h${Math.min(6, level + move.levels)}`;
    if (close !== "") return `</${name}>`;
    if (level === undefined && attributes === "") return whole;
    const moved = attributes.replace(pairs, (pair, key: string, value: string) => attribute(tag, pair, key, value));
    return `<${name}${moved}${extra(tag, level, move.levels, attributes)}${end}`;
  });
}

/** `data-level` is for the style sheet; a level below 6 is only spoken. */
function extra(tag: string, level: number | undefined, levels: number, attributes: string): string {
  if (tag === "details") return /\sopen\b/.test(attributes.replace(/"[^"]*"/g, "")) ? "" : " open";
  if (level === undefined) return "";
  return ` data-level="${level}"${level + levels > 6 ? ` aria-level="${level + levels}"` : ""}`;
}

/** All tags but those of highlighted code. */
const tags = /<(?!span class="[^"]*">)(\/?)([a-z][^\s"'<>/=]*)((?:\s+[^\s"'<>/=]+(?:="[^"]*")?)*)(\s*\/?>)/gi;
const pairs = /\s+([^\s"'<>/=]+)="([^"]*)"/g;
const heading = /^h[1-6]$/;
const links = new Set(["href", "src", "poster", "data", "xlink:href"]);

/** Attributes whose value is a list of ids. */
const references = new Set(
  "for headers list aria-controls aria-describedby aria-details aria-flowto aria-labelledby aria-owns".split(" "),
);

/** Attributes whose value may be CSS with an address. */
const paints = /^(?:style|fill|stroke|filter|mask|clip-path|marker(?:-\w+)?)$/;

const decode = (value: string): string =>
  value.includes("&") ? value.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&") : value;
