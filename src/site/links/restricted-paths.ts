import { lazy } from "../../lib/memo.js";
import type { LeftOutPage, Site } from "../site.js";
import { createPageIndex, withoutExtension } from "./page-index.js";

/**
 * Finds what is left of a redirect without the pages for other readers, see `RedirectContext`.
 *
 * @param isInBundle whether a page or file has a path without wildcards.
 */
export function createRestrictedPaths(
  {
    leftOut = [],
    pages,
    staticFiles,
    styles,
    scripts,
  }: Pick<Site, "pages" | "leftOut" | "staticFiles" | "styles" | "scripts">,
  isInBundle: (path: string) => boolean,
): (path: string) => LeftOutPage | undefined {
  const restricted = leftOut.filter(([, { why }]) => why === "groups");
  if (restricted.length === 0) return () => undefined;
  const closed = createPageIndex(restricted);
  const closedFolders = new Map(restricted.flatMap(([path, page]) => foldersOf(path).map((folder) => [folder, page])));
  const openPaths = lazy(() => [
    ...pages.map(({ urlPath }) => urlPath.normalize("NFC")),
    ...[...staticFiles, ...styles, ...scripts].map((path) => `/${path}`.normalize("NFC")),
  ]);
  const openFolders = lazy(() => new Set(openPaths().flatMap(foldersOf)));

  return (written) => {
    const path = written.normalize("NFC");
    const pattern = patternOf(path);
    if (pattern !== undefined) {
      const page = restricted.find(([urlPath]) => pattern.test(urlPath.normalize("NFC")))?.[1];
      return page && openPaths().some((each) => pattern.test(each)) ? undefined : page;
    }
    const page = closed.find(path.slice(1)) ?? closedFolders.get(path);
    return page && (isInBundle(path) || openFolders().has(path)) ? undefined : page;
  };
}

/** `/a` and `/a/b` of `/a/b/c`. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf("/", 1); at >= 0; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at));
  return folders.map((folder) => folder.normalize("NFC"));
}

/** More of them would multiply the time of a test by the length of the path. */
const mostWildcards = 2;

/** Matches each path that a wildcard may stand for, and what is below these; undefined without a wildcard. */
function patternOf(path: string): RegExp | undefined {
  const [first, ...rest] = withoutExtension(path).split(/:[A-Za-z_]\w*[*+]?|\*/);
  if (rest.length === 0) return undefined;
  const parts = [first!, ...rest.slice(0, mostWildcards)].map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const regex = parts.join(".*").replaceAll("/.*", "(?:/.*)?");
  return new RegExp(`^${regex}${rest.length > mostWildcards ? ".*" : "(?:/.*)?"}$`);
}
