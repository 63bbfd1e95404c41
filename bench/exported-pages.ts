/** Pages of an exported site, named as the judged queries and questions name them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `/guides/install` of `guides/install.html#top`. */
export function pageOf(href: string): string {
  const file = decodeURI(href.replace(/[?#].*$/, "")).replace(/^\//, "");
  return `/${file.replace(/\.html$/, "").replace(/(^|\/)index$/, "")}`;
}

/** The file of a page. Undefined if the export does not contain the page. */
export const documentOf = (output: string, page: string): string | undefined =>
  [`${page}.html`, `${page}/index.html`].map((path) => join(output, path)).find((path) => existsSync(path));

/** The HTML of a page, or that of the start page if the export does not contain the page. */
export const htmlOf = (output: string, page: string): string =>
  readFileSync(documentOf(output, page) ?? join(output, "index.html"), "utf8");

/** The start page, or the page to which it leads. */
export function firstPage(output: string): string {
  const html = readFileSync(join(output, "index.html"), "utf8");
  const target = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(html)?.[1];
  return target === undefined ? "/" : pageOf(target);
}

/** Place of the first accepted page from 1; infinite if there is none. */
export function placeOf(results: readonly string[], pages: readonly string[]): number {
  const index = results.findIndex((page) => pages.includes(page));
  return index < 0 ? Number.POSITIVE_INFINITY : index + 1;
}
