/** What assets made before the first page is rendered. Plain data: it is cloned to every worker thread. Paths are output paths. */
export interface AssetManifest {
  /** Style sheets of every page, in order: ours, utilities, the site's own. Those of `parts` stand behind the first. */
  readonly stylesheets: readonly string[];
  /** The small classic script in the head that sets the colour mode before the first paint. */
  readonly headScript: string;
  /** Deferred classic scripts of every page, in order: ours, then the site's own. */
  readonly scripts: readonly string[];
  /** Follows the wildcard redirects: of the page for unknown addresses alone, in its head. Absent where there are none. */
  readonly redirectScript?: string;
  /** The script of the search, loaded when a reader opens it. */
  readonly searchScript: string;
  /** What is loaded when a reader tries out an API; absent where no page is about one. Words by the key of their language. */
  readonly playground?: {
    readonly script: string;
    readonly stylesheet: string;
    readonly words: Readonly<Record<string, string>>;
  };
  /** Style sheets that pages load where they need them, by name: `math`, `diagram`, and those that components name. */
  readonly parts: Readonly<Record<string, string>>;
  /** Marks of the assistants that the site's page menu names, by the name of the option. */
  readonly marks: Readonly<Record<string, string>>;
  readonly favicon?: { readonly light: string; readonly dark: string };
}
