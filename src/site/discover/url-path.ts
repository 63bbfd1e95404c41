import { portablePath } from "../../lib/portable-name.js";

/** True for what can be a page, by its name. */
export const isPageFile = (sourcePath: string): boolean => /\.mdx?$/.test(sourcePath);

/** A page's path without its extension, as navigations name it: `guides/install`. */
export const stemOf = (sourcePath: string): string => sourcePath.replace(/\.mdx?$/, "");

/**
 * Address of a page: `guides/install.mdx` -> `/guides/install`, an index page gets its folder's: `guides/index.mdx` ->
 * `/guides`, `index.mdx` -> `/`. As in the file system: case kept, nothing percent-encoded.
 */
export function urlPathOf(sourcePath: string): string {
  const stem = stemOf(sourcePath);
  return stem === "index" ? "/" : `/${stem.endsWith("/index") ? stem.slice(0, -"/index".length) : stem}`;
}

/** Place in the bundle: `/guides/install` -> `guides/install.html`, `/` -> `index.html`. Valid on every system. */
export function outputPathOf(urlPath: string): string {
  return urlPath === "/" ? "index.html" : `${portablePath(urlPath.slice(1))}.html`;
}
