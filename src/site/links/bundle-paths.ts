import { folderOf, foldPath } from "../../lib/url/index.js";
import type { Site } from "../site.js";

/** Files that the bundle generates for the whole site, unless the site has a file at the same path. */
export const siteFiles: readonly string[] =
  "_redirects _headers robots.txt sitemap.xml llms.txt llms-full.txt .well-known/llms.txt .well-known/llms-full.txt".split(
    " ",
  );

/** Names at the root that are reserved for the bundle's own files and folders. */
const reserved = new Set(["_offprint", "404.html", "offprint.json", "offprint-search.js", "offprint-sign-in.html"]);

/** Whether a path is reserved for the bundle itself, or is in a reserved folder. */
export const isReserved = (path: string): boolean => isReservedFolded(foldPath(path));

function isReservedFolded(folded: string): boolean {
  const slash = folded.indexOf("/");
  return reserved.has(slash < 0 ? folded : folded.slice(0, slash));
}

/** Path of a page's Markdown version: `guides/install.html` -> `guides/install.md`. */
export const markdownPathOf = (outputPath: string): string => outputPath.replace(/\.html$/, ".md");

/** Path of a page's feed: `changelog.html` -> `changelog/rss.xml`. */
export const feedPathOf = (outputPath: string): string =>
  outputPath === "index.html" ? "rss.xml" : outputPath.replace(/\.html$/, "/rss.xml");

/**
 * The used paths of the bundle, each with its owner. Two paths that differ only in case or in the encoding of accents are the
 * same, and a file cannot have the path of a folder.
 */
export class BundlePaths {
  readonly #files = new Map<string, string>();
  /** Folders in use, each with its first owner. */
  readonly #folders = new Map<string, string>();
  /** Files that the bundle generates, by folded path. A file of the site at exactly the same path replaces one. */
  readonly #generated = new Map<string, { readonly path: string; readonly owner: string }>();

  /** Reserves paths for generated files. Returns the owner of a path that is already used as a folder. */
  reserve(paths: readonly string[], owner: string): string | undefined {
    for (const path of paths) {
      const folded = foldPath(path);
      const taken = this.#folders.get(folded);
      if (taken !== undefined) return taken;
      if (!this.#generated.has(folded)) this.#generated.set(folded, { path, owner });
    }
    return undefined;
  }

  /** Takes a path for `owner`, or returns the result of `ownerOf` if it is already used. */
  claim(path: string, owner: string): string | undefined {
    const folded = foldPath(path);
    const taken = this.#ownerOf(path, folded);
    if (taken !== undefined) return taken;
    for (let folder = folderOf(folded); folder !== "" && !this.#folders.has(folder); folder = folderOf(folder))
      this.#folders.set(folder, owner);
    this.#files.set(folded, owner);
    return undefined;
  }

  /** The owner that already uses a path as a file or folder, or one of its folders as a file; or the reserved name. */
  ownerOf(path: string): string | undefined {
    return this.#ownerOf(path, foldPath(path));
  }

  #ownerOf(path: string, folded: string): string | undefined {
    if (isReservedFolded(folded)) return path.split("/", 1)[0];
    const generated = this.#generated.get(folded);
    const same =
      this.#files.get(folded) ?? this.#folders.get(folded) ?? (generated?.path === path ? undefined : generated?.owner);
    if (same !== undefined) return same;
    for (let folder = folderOf(folded); folder !== ""; folder = folderOf(folder)) {
      if (this.#folders.has(folder)) return undefined;
      const file = this.#files.get(folder) ?? this.#generated.get(folder)?.owner;
      if (file !== undefined) return file;
    }
    return undefined;
  }

  has(path: string): boolean {
    return this.#files.has(foldPath(path));
  }
}

/** The paths that a planned site uses. The owner of each is the path itself. */
export function bundlePathsOf({ pages, staticFiles }: Pick<Site, "pages" | "staticFiles">): BundlePaths {
  const paths = new BundlePaths();
  for (const path of siteFiles) paths.reserve([path], path);
  for (const { outputPath } of pages) {
    paths.claim(outputPath, outputPath);
    for (const path of [markdownPathOf(outputPath), feedPathOf(outputPath)]) paths.reserve([path], path);
  }
  for (const path of staticFiles) paths.claim(path, path);
  return paths;
}

/** Whether the site uses a name at the root of the bundle, for a file or a folder. @param name a result of `foldPath` */
export function isUsedAtRoot({ pages, staticFiles }: Pick<Site, "pages" | "staticFiles">, name: string): boolean {
  const isUsed = (path: string): boolean => foldPath(path.split("/", 1)[0]!) === name;
  return pages.some(({ outputPath }) => isUsed(outputPath)) || staticFiles.some(isUsed);
}

/** A folder at the root of the bundle that the site does not use: `name`, or `name-2`. */
export function freeFolder({ pages, staticFiles }: Pick<Site, "pages" | "staticFiles">, name: string): string {
  const used = new Set(
    [...pages.map((page) => page.outputPath), ...staticFiles].map((path) =>
      foldPath(path.replace(/\.html$/, "").split("/", 1)[0]!),
    ),
  );
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${name}-${count}`;
    if (!used.has(free)) return free;
  }
}
