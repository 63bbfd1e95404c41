import type { RecordedIds } from "./page-ids.js";
import type { PageSection } from "./rendered-page.js";

/** Content of several pages, rendered once. */
export interface SharedHtml {
  readonly html: string;
  readonly ids: RecordedIds;
  /** For the search. The first has no heading: its text belongs to the section around the content. */
  readonly sections: readonly PageSection[];
}

/** By the fragment; undefined for one that has to be rendered on each page. */
export type SharedHtmls = WeakMap<object, SharedHtml | undefined>;

declare module "hast" {
  interface Data {
    /** Of shared content. */
    sections?: readonly PageSection[] | undefined;
  }
}
