import type { PixelSize } from "../../lib/pixel-size.js";
import type { ExternalAddress, SelfAddress, UnsafeAddress } from "../../lib/url/index.js";
import type { LeftOutPage, PagePlan } from "../site.js";

/** Where an address was typed. */
export interface Origin {
  /** The page that shows it, or the settings. */
  readonly sourcePath: string;
  /** The file it was typed in, if that is another: a snippet. */
  readonly writtenIn?: string;
}

/** A page or file of the bundle. */
export type SiteTarget =
  | { readonly kind: "page"; readonly page: PagePlan; readonly outputPath: string }
  | { readonly kind: "file"; readonly outputPath: string };

/** What an address means. */
export type Target = FoundTarget | MissingTarget | SelfAddress | ExternalAddress | UnsafeAddress;

export type FoundTarget = SiteTarget & {
  /** `?query#fragment`, encoded. */
  readonly suffix: string;
  /** Its path with a leading slash, if the typed path differs in case. */
  readonly rightCase?: string;
  /** The typed path with a leading slash, if it is a folder without a page and leads to the first page below it. */
  readonly folder?: string;
  /** Of an embedded image, in CSS pixels. */
  readonly size?: PixelSize;
};
export interface MissingTarget {
  readonly kind: "missing";
  /** The most likely of the candidates, with a leading slash. */
  readonly path: string;
  /** The path that it would have in the bundle. */
  readonly outputPath: string;
  readonly suffix: string;
  /** All paths that it may mean, without a leading slash. */
  readonly candidates: readonly string[];
  /** The page that would be there if it were not left out. */
  readonly leftOut?: LeftOutPage;
}
