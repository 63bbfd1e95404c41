import { posix } from "node:path";
import { escapeHtml } from "../../../lib/html/escape.js";
import { directionOf, messagesFor } from "../../../lib/language/index.js";
import type { AssetManifest, PrintedEntry, PrintedSection } from "../../../page/theme/index.js";
import { printedPages } from "../../../page/theme/index.js";
import { relativeHref } from "../../../site/links/index.js";
import type { Site } from "../../../site/site.js";
import { movePage, pageId } from "./move-page.js";

export interface PrintedDocumentOptions {
  readonly site: Site;
  readonly assets: AssetManifest;
  /** Style sheets that a page needs besides those of every page. */
  readonly stylesheetsOf: (page: number) => readonly string[];
  /** The document of a page, by its output path. */
  readonly readPage: (outputPath: string) => Promise<string>;
}

/**
 * A section of the site as one document: a title, a table of contents, and every page on a new sheet of paper. Its
 * headings nest as the navigation does. Only one page is in memory at a time.
 */
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
