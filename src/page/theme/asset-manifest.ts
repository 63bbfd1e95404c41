/** The files made before the first page is rendered, as output paths. Plain data, cloned to every worker thread. */
export interface AssetManifest {
  /** Style sheets of every page, in order: ours, utilities, the site's own. Sheets of `parts` go after the first. */
  readonly stylesheets: readonly string[];
  /** The small classic script in the head that sets the colour mode before the first paint. */
  readonly headScript: string;
  /** Deferred classic scripts of every page, in order: ours, then the site's own. */
  readonly scripts: readonly string[];
  /** The script in the head of the 404 page that follows wildcard redirects. Absent if there are none. */
  readonly redirectScript?: string;
  /** The script in the head of the 404 page that mends its links if it is opened from disk. Absent if they are relative. */
  readonly diskScript?: string;
  /** The script of printed sections; absent if the site has none. */
  readonly printScript?: string;
  /** The search script, loaded when a reader opens the search. */
  readonly searchScript: string;
  /** Loaded when a reader opens the playground of an API; absent if no page is about one. `words` by language tag. */
  readonly playground?: {
    readonly script: string;
    readonly stylesheet: string;
    readonly words: Readonly<Record<string, string>>;
  };
  /** Loaded when a reader opens the assistant; absent if the site has none. `settings` by language tag. */
  readonly assistant?: {
    readonly script: string;
    readonly stylesheet: string;
    readonly settings: Readonly<Record<string, string>>;
  };
  /** Style sheets that pages load on demand, by name: `math`, `diagram`, and those that components name. */
  readonly parts: Readonly<Record<string, string>>;
  /** Whether pages have `data-component-part`: something of the site may select by it. */
  readonly componentParts: boolean;
  /** Logos of the assistants in the site's page menu, by option name. */
  readonly marks: Readonly<Record<string, string>>;
  readonly favicon: { readonly light: string; readonly dark: string };
}
