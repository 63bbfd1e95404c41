/** The documentation of one site, as far as a reader may see it. Tools and resources read it. */
export interface Documentation {
  readonly siteName: string;
  /** Empty if the site has one version. */
  readonly versions: readonly string[];
  /** BCP 47 tags; empty if the site has one language. */
  readonly languages: readonly string[];
  /** The pages that its search knows, in the order of the navigation. */
  readonly pages: readonly ListedPage[];
  search(request: {
    readonly query: string;
    readonly count: number;
    readonly filter?: { readonly version?: string; readonly language?: string };
  }): Promise<{ readonly passages: readonly FoundSection[] }>;
  /** Markdown of a page, or the text of `/llms.txt`. Undefined if the export has no such page or file. */
  page(path: string): Promise<{ readonly path: string; readonly content: string } | undefined>;
  /** The sections of a page, in order. Undefined if there is no such page, or if the search does not know it. */
  sections(path: string): Promise<readonly PageSection[] | undefined>;
}

export interface ListedPage {
  /** As in its address: `/guides/install`; `/` for the start page. */
  readonly path: string;
  readonly title: string;
  /** Its place in the navigation, outermost first. */
  readonly trail: readonly string[];
  /** BCP 47 tag. Undefined for a page of all languages; the version likewise. */
  readonly language?: string;
  readonly version?: string;
}

export interface PageSection {
  /** Id of the heading; empty before the first one. */
  readonly anchor: string;
  /** Plain text; empty before the first one. */
  readonly heading: string;
}

interface FoundSection extends PageSection, Pick<ListedPage, "path" | "title" | "trail"> {
  readonly url: string;
  /** Plain text. */
  readonly text: string;
}

/** The start of a resource's URI. The path of a page or file follows, without its first slash. */
export const resourceBase = "docs:///";

/** Base URL for the pages of a site without a URL: they have the URIs of their resources. */
export const addressless = "docs://";
