import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import type { LoadedKind } from "../../site/links/index.js";

/** The page's own HTML, without the document around it, and what the rest of the site needs from it. */
export interface RenderedPage {
  /** The body below the title and description. Links are relative to the page's output path. */
  readonly html: string;
  /** Shown between the title and the body: the endpoint on a page of the API reference. */
  readonly leadHtml?: string;
  /** From `RequestExample`, `ResponseExample` and `Panel`: shown in the side column. */
  readonly panelHtml?: string;
  readonly toc: readonly TocEntry[];
  /** Links and assets of the body in source order, as emitted, each with its location in the source. */
  readonly uses: readonly LinkUse[];
  /** Requests to other hosts and scripts that the page's own content asks for. */
  readonly external: readonly ExternalUse[];
  /** Style sheets this page needs beyond the common ones: output paths. */
  readonly stylesheets: readonly string[];
  /** Deferred classic scripts that this page needs beyond the common ones, in order: output paths. */
  readonly scripts: readonly string[];
  /** Files made for this page: style sheets of diagrams and of live components. */
  readonly files: readonly { readonly outputPath: string; readonly bytes: Uint8Array }[];
  /** Tags of `Update`s, for the filter; empty if there are none. */
  readonly updateTags: readonly string[];
  /** Titles of `View`s, for the switcher; empty if there are none. */
  readonly views: readonly { readonly id: string; readonly title: string }[];
  /** The text in sections, for the search; empty for a page that the search must not find. */
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
  /** Its anchor; empty for the first section, which comes before every heading. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
  /** Code in it, as written, several blocks joined by line feeds. */
  readonly code: string;
}

export interface LinkUse {
  /** As emitted: relative, absolute or `#fragment`. */
  readonly href: string;
  /** As the writer typed it. */
  readonly written: string;
  readonly location: Location;
}

export interface ExternalUse {
  readonly kind: LoadedKind;
  /** Absolute URL, or for an inline script its first line. */
  readonly url: string;
  readonly location: Location;
  /** Left out unless it is embedded. */
  readonly isOptional?: boolean;
}
