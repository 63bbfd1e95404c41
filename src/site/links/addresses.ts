import { lazy } from "../../lib/memo.js";
import { encodeSuffix, folderOf, joinPath, parseAddress, redirectedSuffix } from "../../lib/url/index.js";
import type { LeftOutPage, PagePlan, Site } from "../site.js";
import { feedPathOf, siteFiles } from "./bundle-paths.js";
import { createPageIndex, type PageIndex, spellingsOf, withoutExtension } from "./page-index.js";
import { createRedirectTable, createRestrictedPaths, type RedirectTable } from "./redirect-table.js";
import { createSimilarPaths, type Suggestion } from "./similar-paths.js";
import type { MissingTarget, Origin, SiteTarget, Target } from "./target.js";
import { type EmbeddedFiles, embeddedTarget, type LoadedKind } from "./target.js";

export interface Addresses {
  /**
   * Resolves an address as written. A path without a leading slash is relative to the page that shows it, then to the snippet
   * in which it is written; if it starts with a name, also to the root. The order is: pages and files, redirects, paths that
   * differ in case, folders, whose target is their first page, and paths that differ in their first folders.
   */
  resolve(written: string, from: Origin): Target;
  /**
   * Resolves the address of something that a page loads. If its file is embedded, the target is the copy in the bundle. The
   * target of the published address of a file of the site is that file.
   */
  resolveFile(written: string, from: Origin, kind: LoadedKind): Target;
  /** The page with exactly this `urlPath`. */
  pageAt(urlPath: string): PagePlan | undefined;
  nearest(missing: Pick<MissingTarget, "candidates">): Suggestion | undefined;
  /** Made at the first call. */
  redirects(): RedirectTable;
}

/**
 * Creates the addresses for one thread. The tables are built when they are first needed. A look-up takes constant time.
 *
 * @param embedded files may be added between two calls.
 */
export function createAddresses(
  site: Pick<Site, "pages" | "leftOut" | "unreadFolders" | "homePage" | "staticFiles" | "styles" | "scripts"> & {
    readonly config: Pick<Site["config"], "redirects"> & Partial<Pick<Site["config"], "seo">>;
  },
  embedded?: EmbeddedFiles,
): Addresses {
  const shared = lazy(() => new Set([...site.styles, ...site.scripts]));
  const filePaths = [...site.staticFiles, ...site.styles, ...site.scripts];
  const pages = lazy(() => createPageIndex(site.pages.map((page) => [page.urlPath, page] as const)));
  const leftOutPages = lazy(() => createPageIndex(site.leftOut ?? []));
  const files = lazy(() => new Map(filePaths.map((path) => [path.normalize("NFC"), path])));
  const similar = createSimilarPaths(function* () {
    for (const page of site.pages) yield page.urlPath.slice(1);
    yield* filePaths;
  });
  const redirects = lazy(() =>
    createRedirectTable(site.config.redirects, {
      sourceOfPageAt: (urlPath) => pages().get(urlPath.slice(1))?.sourcePath,
      find: (path) => find(path.slice(1)),
      fallback(path) {
        const bare = path.slice(1);
        const target = home(bare) ?? otherCase(bare) ?? firstBelow(bare);
        return target ?? (leftOutPages().find(bare) ? undefined : otherPrefix(bare));
      },
      instead(path) {
        const right = otherCase(path.slice(1))?.rightCase;
        const near = right === undefined ? nearest({ candidates: [path.slice(1)] }) : { path: right, certain: true };
        return { leftOut: leftOutPages().find(path.slice(1)) ?? unreadPage(path.slice(1)), nearest: near };
      },
      restrictedAt: createRestrictedPaths(site, (path) => find(path.slice(1)) !== undefined),
    }),
  );

  const find = (path: string): SiteTarget | undefined => {
    const exact = pages().get(path);
    if (exact) return pageTarget(exact);
    const file = files().get(path.normalize("NFC"));
    if (file !== undefined) return { kind: "file", outputPath: file, ...(shared().has(file) && { isShared: true }) };
    const page = pages().find(path);
    return page ? pageTarget(page) : generatedFile(path, pages());
  };
  /** The home page is the target of `/` if the site has neither a page nor a redirect for it. */
  const home = (path: string): SiteTarget | undefined =>
    site.homePage !== undefined && spellingsOf(path).includes("") ? pageTarget(site.pages[site.homePage]!) : undefined;

  /** The first page of the navigation in each folder. */
  const firsts = lazy(() => {
    const byFolder = new Map<string, PagePlan>();
    for (const page of site.pages) {
      if (!page.visible) continue;
      for (let at = page.urlPath.indexOf("/", 1); at >= 0; at = page.urlPath.indexOf("/", at + 1)) {
        const folder = page.urlPath.slice(0, at).normalize("NFC");
        if (!byFolder.has(folder)) byFolder.set(folder, page);
      }
    }
    return byFolder;
  });
  const firstBelow = (path: string): SiteTarget | undefined => {
    const page = firsts().get(`/${path}`.normalize("NFC"));
    return page && pageTarget(page);
  };
  const asFolder = (path: string): (SiteTarget & { readonly folder: string }) | undefined => {
    const target = firstBelow(path);
    return target && { ...target, folder: `/${path}` };
  };

  const otherCase = (path: string): (SiteTarget & { readonly rightCase: string }) | undefined => {
    const right = firstOf(spellingsOf(path), similar.otherCase);
    const target = right === undefined ? undefined : find(right);
    return target && { ...target, rightCase: `/${right}` };
  };

  const otherPrefix = (path: string, from?: string): SiteTarget | undefined => {
    const right = similar.otherPrefix(path, from);
    const target = right && find(right.path.slice(1));
    return target && { ...target, otherPrefix: right };
  };

  const similarSources = createSimilarPaths(() =>
    site.config.redirects.flatMap(({ source }) => (/[:*]/.test(source) ? [] : [source.replace(/^\//, "")])),
  );
  /** The page or file to which a redirect leads, if its source differs from the path in the folders at the start. */
  const redirectedPrefix = (path: string, from: string): SiteTarget | undefined => {
    const source = similarSources.otherPrefix(path, from);
    // Below a folder of the site, the path means a page there.
    if (source && firstBelow(path.slice(0, -source.path.length))) return undefined;
    const end = source && redirects().follow(source.path.slice(1));
    if (end?.kind !== "internal" || end.target === undefined) return undefined;
    return { ...end.target, otherPrefix: { path: end.path, cause: `${source!.cause}, and a redirect leads on` } };
  };

  const unreadPage = (path: string): LeftOutPage | undefined => {
    const folder = site.unreadFolders?.find(([name]) => path.startsWith(`${name}/`));
    return folder && { sourcePath: folder[1], why: "unread" };
  };

  const resolve: Addresses["resolve"] = (written, from) => {
    const address = parseAddress(written);
    if (address.kind !== "path") return address;
    const { suffix } = address;
    const candidates = candidatesOf(address.path, from);
    const target = firstOf(candidates, find);
    if (target) return { ...target, suffix };
    const moved = firstOf(candidates, redirects().follow);
    if (moved?.kind === "external") return { kind: "external", url: moved.url, host: true };
    if (moved?.target) return { ...moved.target, suffix: redirectedSuffix(suffix, encodeSuffix(moved.suffix)) };
    const nearly = firstOf(candidates, home) ?? firstOf(candidates, otherCase) ?? firstOf(candidates, asFolder);
    if (nearly) return { ...nearly, suffix };
    // A page of a specification that could not be read is no page that moved.
    const leftOut =
      firstOf(candidates, leftOutPages().find) ??
      (firstOf(candidates, similar.otherExtension) ? undefined : firstOf(candidates, unreadPage));
    const elsewhere = leftOut
      ? undefined
      : (firstOf(candidates, (path) => otherPrefix(path, from.sourcePath)) ??
        firstOf(candidates, (path) => redirectedPrefix(path, from.sourcePath)));
    if (elsewhere) return { ...elsewhere, suffix };
    return { ...missingTarget(candidates, suffix), ...(leftOut && { leftOut }) };
  };

  const published = site.config.seo?.metatags["canonical"]?.replace(/\/+$/, "");
  /** A file of the site that is named by its published address, as `seo.metatags.canonical` begins. */
  const publishedFile = (url: string): Target | undefined => {
    if (published === undefined || !url.startsWith(`${published}/`)) return undefined;
    const address = parseAddress(url.slice(published.length));
    const file = address.kind === "path" ? files().get(joinPath("", address.path).normalize("NFC")) : undefined;
    return file === undefined ? undefined : { kind: "file", outputPath: file, suffix: "" };
  };

  const nearest: Addresses["nearest"] = ({ candidates }) => {
    const other = firstOf(candidates, similar.otherExtension);
    if (other !== undefined) return { path: `/${other}`, certain: true };
    const near =
      firstOf(candidates, (path) => similar.firstIn(withoutExtension(path))) ?? firstOf(candidates, similar.nearest);
    return near === undefined ? undefined : { path: `/${near}`, certain: false };
  };

  return {
    resolve,
    resolveFile(written, from, kind) {
      const target = resolve(written, from);
      if (target.kind !== "external") return target;
      return publishedFile(target.url) ?? (embedded && embeddedTarget(embedded, target.url, kind)) ?? target;
    },
    pageAt: (urlPath) => pages().get(urlPath.slice(1)),
    nearest,
    redirects,
  };
}

const pageTarget = (page: PagePlan): SiteTarget => ({ kind: "page", page, outputPath: page.outputPath });

/** Files that the bundle generates: a page's feed, and files for search engines and agents. */
function generatedFile(path: string, pages: PageIndex<PagePlan>): SiteTarget | undefined {
  if (siteFiles.includes(path)) return { kind: "file", outputPath: path };
  const feedOf = /^(?:(.*)\/)?rss\.xml$/.exec(path);
  const page = feedOf ? pages.find(feedOf[1] ?? "") : undefined;
  return page && { kind: "file", outputPath: feedPathOf(page.outputPath) };
}

/** The paths to which a written path may refer, most likely first, without a slash at either end. */
function candidatesOf(path: string, { sourcePath, writtenIn }: Origin): readonly string[] {
  if (path.startsWith("/")) return [joinPath("", path)];
  const candidates = [joinPath(folderOf(sourcePath), path)];
  if (writtenIn !== undefined && writtenIn !== sourcePath) candidates.push(joinPath(folderOf(writtenIn), path));
  if (!path.startsWith(".")) candidates.push(joinPath("", path));
  return candidates;
}

function missingTarget(candidates: readonly string[], suffix: string): MissingTarget {
  const path = candidates[0]!;
  const outputPath = /\.\w+$/.test(path) ? path.replace(/\.mdx?$/, ".html") : `${path || "index"}.html`;
  return { kind: "missing", path: `/${path}`, outputPath, suffix, candidates };
}

function firstOf<T>(paths: readonly string[], find: (path: string) => T | undefined): T | undefined {
  for (const path of paths) {
    const result = find(path);
    if (result !== undefined) return result;
  }
  return undefined;
}
