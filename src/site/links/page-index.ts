/** Finds pages by the various spellings of their paths. */
export interface PageIndex<Page> {
  /** The page at exactly this path. */
  get(path: string): Page | undefined;
  /** The page at a path that may have an extension or `/index`. */
  find(path: string): Page | undefined;
}

/**
 * In: pages by their path with a leading slash and without extension: `/guides/install`, `/`. Look-ups accept paths as
 * `joinPath` returns them: decoded, no slash at either end. A look-up takes constant time.
 */
export function createPageIndex<Page>(pages: Iterable<readonly [path: string, page: Page]>): PageIndex<Page> {
  const byPath = new Map<string, Page>();
  for (const [path, page] of pages) {
    const key = path.normalize("NFC");
    if (!byPath.has(key)) byPath.set(key, page);
  }
  const get = (path: string): Page | undefined => byPath.get(`/${path}`.normalize("NFC"));
  return {
    get,
    find(path) {
      for (const spelling of spellingsOf(path)) {
        const page = get(spelling);
        if (page !== undefined) return page;
      }
      const bare = withoutExtension(path);
      return get(bare === "" ? "index" : `${bare}/index`);
    },
  };
}

/** A path as written and its shorter forms: without extension, then without `/index`. */
export function spellingsOf(path: string): readonly string[] {
  const bare = withoutExtension(path);
  const folder = bare.replace(/(?:^|\/)index$/i, "");
  return folder === path ? [path] : [...new Set([path, bare, folder])];
}

/** A path without the extension of a page, in the source or in the bundle. */
export const withoutExtension = (path: string): string => path.replace(/\.(?:mdx?|markdown|html?)$/i, "");
