import type { ApiSpec } from "../api-spec.js";

/** A specification that pages are made from: what another thread needs to read it again. Plain data. */
export interface SpecPlan {
  /** What `ApiTarget.spec` says. */
  readonly key: string;
  /** Path in the site, or URL. */
  readonly source: string;
  readonly format: ApiSpec["format"];
  /** The document as JSON where reading the file would not give it, or only in many times the time. */
  readonly json?: string;
}

/** One specification may be used with and without overlays, and so be two. */
export const specKey = (source: string, overlays: readonly string[]): string => [source, ...overlays].join(" + ");
