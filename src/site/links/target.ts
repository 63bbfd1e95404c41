import type { ExternalAddress, SelfAddress, UnsafeAddress } from "../../lib/url/index.js";
import type { PagePlan } from "../site.js";

/** Where an address was typed. */
export interface Origin {
  /** The page that shows it, or the settings. */
  readonly sourcePath: string;
  /** The file it was typed in, where that is another: a snippet. */
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
  /** Its path with a slash in front, where the one typed differs in upper and lower case. */
  readonly rightCase?: string;
};
export interface MissingTarget {
  readonly kind: "missing";
  /** The likeliest of the paths it may have meant, with a slash in front. */
  readonly path: string;
  /** Where that would stand. */
  readonly outputPath: string;
  readonly suffix: string;
  /** All of them, without the slash. */
  readonly candidates: readonly string[];
}
