/** What assets made before the first page is rendered. Plain data: it is cloned to every worker thread. Paths are output paths. */
export interface AssetManifest {
  /** Style sheets of every page, in order: ours, utilities, the site's own. */
  readonly stylesheets: readonly string[];
  /** The small classic script in the head that sets the colour mode before the first paint. */
  readonly headScript: string;
  /** Deferred classic scripts of every page, in order: ours, then the site's own. */
  readonly scripts: readonly string[];
  /** Style sheet for pages with formulas. */
  readonly mathStylesheet: string;
  /** The one font file worth preloading. */
  readonly preloadFont?: string;
  readonly favicon?: { readonly light: string; readonly dark: string };
}
