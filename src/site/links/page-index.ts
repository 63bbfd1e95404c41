/** Finds pages by the various spellings of their paths. */
export interface PageIndex<Page> {
  /** The page at exactly this path. */
  get(path: string): Page | undefined;
  /** Also with or without an extension or `/index`. */
  find(path: string): Page | undefined;
}

/**
 * In: pages by their path with a leading slash and without extension: `/guides/install`, `/`. Look-ups take paths as
 * `joinPath` returns them: decoded, no slash at either end. A look-up costs the same in a site of any size.
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
      for (const each of spellingsOf(path)) {
        const page = get(each);
        if (page !== undefined) return page;
      }
      const bare = withoutExtension(path);
      return get(bare === "" ? "index" : `${bare}/index`);
    },
  };
}

/** A path as typed and its shorter forms: without extension, then without `/index`. */
export function spellingsOf(path: string): readonly string[] {
  const bare = withoutExtension(path);
  const folder = bare.replace(/(?:^|\/)index$/i, "");
  return folder === path
    ? [path]
    : bare === path
      ? [path, folder]
      : folder === bare
        ? [path, bare]
        : [path, bare, folder];
}

/** Without the extension of a page, in the source or in the bundle. */
export const withoutExtension = (path: string): string => path.replace(/\.(?:mdx?|html?)$/i, "");
