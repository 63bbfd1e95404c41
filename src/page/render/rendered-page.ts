import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import type { LoadedKind } from "../../site/links/index.js";

/** The page's own HTML, without the document around it, and facts for the rest of the site. */
export interface RenderedPage {
  /** The body below the title and description. Links are relative to the page's output path. */
  readonly html: string;
  /** Shown between the title and the body: the endpoint on a page of the API reference. */
  readonly leadHtml?: string;
  /** From `RequestExample`, `ResponseExample` and `Panel`: shown in the side column. */
  readonly panelHtml?: string;
  readonly toc: readonly TocEntry[];
  /** Links and assets of the body in source order, as written to the HTML, each with its location in the source. */
  readonly uses: readonly LinkUse[];
  /** Requests to other hosts and scripts in the page's own content. */
  readonly external: readonly ExternalUse[];
  /** Style sheets this page needs beyond the common ones: output paths. */
  readonly stylesheets: readonly string[];
  /** Deferred classic scripts that this page needs beyond the common ones, in order: output paths. */
  readonly scripts: readonly string[];
  /** Files of this page: style sheets of diagrams and of live components. */
  readonly files: readonly { readonly outputPath: string; readonly bytes: Uint8Array }[];
  /** Tags of `Update`s, for the filter; empty if there are none. */
  readonly updateTags: readonly string[];
  /** Titles of `View`s, for the switcher; empty if there are none. */
  readonly views: readonly { readonly id: string; readonly title: string }[];
  /** The text of the page's sections, for the search; empty for a page that is not searchable. */
  readonly sections: readonly PageSection[];
  /** Time spent highlighting, in milliseconds. */
  readonly highlightMs: number;
  readonly diagnostics: readonly Diagnostic[];
}

export interface TocEntry {
  readonly id: string;
  /** 2 to 4. */
  readonly depth: number;
  readonly text: string;
  /** The id of the `View` that contains it. */
  readonly view?: string;
}

/** A part of a page's text with its white space collapsed. Very long text and code are shortened. */
export interface PageSection {
  /** Its anchor; empty for the first section, which precedes all headings. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
  /** Its code, unchanged; several blocks are joined by line feeds. */
  readonly code: string;
}

export interface LinkUse {
  /** As written to the HTML: relative, absolute or `#fragment`. */
  readonly href: string;
  /** As the author wrote it. */
  readonly written: string;
  readonly location: Location;
}

export interface ExternalUse {
  readonly kind: LoadedKind;
  /** Absolute URL, or for an inline script its first line. */
  readonly url: string;
  readonly location: Location;
  /** Whether it is left out unless the export embeds it. */
  readonly isOptional?: boolean;
}
