import { portablePath } from "../../lib/portable-name.js";

/** True for a file name that can be a page. */
export const isPageFile = (sourcePath: string): boolean => /\.mdx?$/.test(sourcePath);

/** A page's path without its extension, as written in a navigation: `guides/install`. */
export const stemOf = (sourcePath: string): string => sourcePath.replace(/\.mdx?$/, "");

/**
 * Address of a page: `guides/install.mdx` -> `/guides/install`. An index page gets its folder's: `guides/index.mdx` ->
 * `/guides`, `index.mdx` -> `/`. Case is kept, nothing is percent-encoded.
 */
export function urlPathOf(sourcePath: string): string {
  const stem = stemOf(sourcePath);
  return stem === "index" ? "/" : `/${stem.endsWith("/index") ? stem.slice(0, -"/index".length) : stem}`;
}

/** Path in the bundle: `/guides/install` -> `guides/install.html`, `/` -> `index.html`. Valid on every system. */
export function outputPathOf(urlPath: string): string {
  return urlPath === "/" ? "index.html" : `${portablePath(urlPath.slice(1))}.html`;
}
