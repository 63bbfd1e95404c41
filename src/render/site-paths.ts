import { nearestName } from "../diagnostic/index.js";
import type { Site } from "../discover/site.js";
import { createRedirectFinder, type RedirectFinder } from "./redirects.js";

/** A page or file of the bundle. */
export interface SiteFile {
  readonly kind: "page" | "file";
  readonly outputPath: string;
  /** Its site path, with the slash. */
  readonly path: string;
}

/** Where a redirect leads in the end: into the site, with the query and fragment of the destination, or out of it. */
export type RedirectTarget =
  | (SiteFile & { readonly suffix: string })
  | { readonly kind: "external"; readonly url: string };

/**
 * The addresses of a site, for finding what a link means. The paths asked for have no leading slash and are decoded;
 * extensions, `/index` and a trailing slash do not matter. Built when first asked; one look-up does not grow with the
 * site.
 */
export interface SitePaths {
  find(path: string): SiteFile | undefined;
  /** What the redirects make of a path at which nothing stands. */
  redirected(path: string): RedirectTarget | undefined;
  /** `find` without regard to case. */
  findIgnoringCase(path: string): SiteFile | undefined;
  /** The site path that most resembles one that leads nowhere. */
  nearest(path: string): string | undefined;
}

/** Files that every bundle holds at its root, though no source file is behind them. */
const generatedFiles = new Set(["llms.txt", "llms-full.txt", "sitemap.xml", "robots.txt", "skill.md"]);
/** A longer chain of redirects is taken for a loop. */
const redirectLimit = 10;

export function createSitePaths(site: Site): SitePaths {
  const index = lazy(() => indexOf(site));
  const lowerCase = lazy(() => lowerCaseOf(index()));
  const neighbours = lazy(() => neighboursOf(index()));
  const redirect = lazy<RedirectFinder>(() => createRedirectFinder(site.config.redirects));
  const followed = new Map<string, RedirectTarget | undefined>();
  const near = new Map<string, string | undefined>();

  const findKey = (path: string): SiteFile | undefined => {
    const { pages, files } = index();
    const page = (key: string): SiteFile | undefined => {
      const outputPath = pages.get(key);
      return outputPath === undefined ? undefined : { kind: "page", outputPath, path: `/${key}` };
    };
    const exact = page(path);
    if (exact) return exact;
    if (files.has(path)) return { kind: "file", outputPath: files.get(path)!, path: `/${path}` };
    const bare = path.replace(/\.(?:mdx?|html?)$/i, "");
    const atPage = page(bare) ?? page(bare.replace(/(?:^|\/)index$/i, ""));
    if (atPage) return atPage;
    const feedOf = path.endsWith("/rss.xml") ? page(path.slice(0, -"/rss.xml".length)) : undefined;
    if (feedOf || generatedFiles.has(path)) return { kind: "file", outputPath: path, path: `/${path}` };
    return undefined;
  };

  const follow = (path: string, hops: number): RedirectTarget | undefined => {
    const destination = redirect()(`/${path.replace(/\.(?:mdx?|html?)$/i, "")}`) ?? redirect()(`/${path}`);
    if (destination === undefined) return undefined;
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(destination)) return { kind: "external", url: destination };
    const tail = destination.search(/[?#]/);
    const key = pathKey(tail < 0 ? destination : destination.slice(0, tail));
    const here = findKey(key);
    if (here) return { ...here, suffix: tail < 0 ? "" : destination.slice(tail) };
    return hops === 0 ? undefined : follow(key, hops - 1);
  };

  const find = (path: string): SiteFile | undefined => findKey(pathKey(path));
  const redirected = (path: string): RedirectTarget | undefined => {
    const key = pathKey(path);
    if (!followed.has(key)) followed.set(key, follow(key, redirectLimit));
    return followed.get(key);
  };
  const findIgnoringCase = (path: string): SiteFile | undefined => {
    const key = pathKey(path).toLowerCase();
    const bare = key.replace(/\.(?:mdx?|html?)$/, "");
    const real = [key, bare, bare.replace(/(?:^|\/)index$/, "")].find((each) => lowerCase().has(each));
    return real === undefined ? undefined : find(lowerCase().get(real)!);
  };
  const nearest = (path: string): string | undefined => {
    const key = pathKey(path);
    if (!near.has(key)) near.set(key, nearestOf(key, neighbours()));
    return near.get(key);
  };
  return { find, redirected, findIgnoringCase, nearest };
}

/** A path as the index holds it: no slash at either end, one Unicode form. */
const pathKey = (path: string): string => path.replace(/^\/+|\/+$/g, "").normalize("NFC");

interface PathIndex {
  /** Key -> output path. */
  readonly pages: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, string>;
}

function indexOf(site: Site): PathIndex {
  const pages = new Map<string, string>();
  for (const page of site.pages) pages.set(pathKey(page.urlPath), page.outputPath);
  if (!pages.has("") && site.homePage !== undefined) pages.set("", site.pages[site.homePage]!.outputPath);
  const files = new Map<string, string>();
  for (const list of [site.staticFiles, site.styles, site.scripts])
    for (const path of list) files.set(pathKey(path), path);
  return { pages, files };
}

function lowerCaseOf({ pages, files }: PathIndex): Map<string, string> {
  const keys = new Map<string, string>();
  for (const map of [pages, files])
    for (const key of map.keys()) if (!keys.has(key.toLowerCase())) keys.set(key.toLowerCase(), key);
  return keys;
}

interface Neighbours {
  readonly byFolder: ReadonlyMap<string, readonly string[]>;
  readonly byName: ReadonlyMap<string, readonly string[]>;
}

function neighboursOf({ pages, files }: PathIndex): Neighbours {
  const byFolder = new Map<string, string[]>();
  const byName = new Map<string, string[]>();
  for (const map of [pages, files])
    for (const key of map.keys()) {
      push(byFolder, folderOf(key), key);
      push(byName, nameOf(key).toLowerCase(), key);
    }
  return { byFolder, byName };
}

/** How many candidates one search weighs, so that a mistake costs the same in a large folder. */
const candidateLimit = 300;

function nearestOf(key: string, { byFolder, byName }: Neighbours): string | undefined {
  const bare = key.replace(/\.(?:mdx?|html?)$/i, "");
  const sameName = byName.get(nameOf(bare).toLowerCase());
  const moved =
    sameName &&
    (nearestName(bare, sameName.slice(0, candidateLimit)) ?? (sameName.length === 1 ? sameName[0] : undefined));
  if (moved !== undefined) return `/${moved}`;
  const inside = byFolder.get(bare);
  if (inside) return `/${inside[0]}`;
  const inFolder = byFolder.get(folderOf(bare))?.slice(0, candidateLimit) ?? [];
  const near = nearestName(nameOf(bare), inFolder.map(nameOf));
  return near === undefined ? undefined : `/${inFolder.find((each) => nameOf(each) === near)}`;
}

const folderOf = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf("/")));
const nameOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
