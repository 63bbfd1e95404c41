import type { Code, Definition, FootnoteDefinition } from "mdast";
import type { IconChoice } from "./ports.js";

/** What a page needs before it can be rendered synchronously. */
export interface PageRequirements {
  /** Languages of its fences. */
  readonly languages: ReadonlySet<string>;
  readonly diagrams: readonly Code[];
  readonly hasMath: boolean;
  /** Names of the style sheets that it needs in addition to the common one. */
  readonly stylesheets: ReadonlySet<string>;
  readonly icons: readonly IconChoice[];
  /** Properties that are read as Markdown. */
  readonly texts: readonly string[];
  /** Ids chosen by the writer, and those of headings. */
  readonly ids: readonly string[];
  /** Of links and footnotes. */
  readonly definitions: readonly (Definition | FootnoteDefinition)[];
  /** Whether the page has HTML tags from plain Markdown. */
  readonly hasHtml: boolean;
  /** Of the deepest node. */
  readonly depth: number;
}

/** Of fragments that several pages hold. */
export type SharedRequirements = WeakMap<object, PageRequirements>;
