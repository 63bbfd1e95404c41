import type { ApiSpec } from "../api-spec.js";
import type { GraphService } from "../config/index.js";

/** A specification that pages are made from: the data that another thread needs to read it. Plain data. */
export interface SpecPlan {
  /** The value of `ApiTarget.spec`. */
  readonly key: string;
  /** Path in the site, or URL. */
  readonly source: string;
  readonly format: ApiSpec["format"];
  /** See `ApiSpec`. */
  readonly sources?: ApiSpec["sources"];
  /** See `ApiSpec`. */
  readonly closed?: ApiSpec["closed"];
  readonly audience?: ApiSpec["audience"];
  /** Whether it has parts that its readers must not see. */
  readonly isRestricted?: boolean;
  /** Pointers of what names an operation or a workflow for other readers: steps, their actions, items of `dependsOn`. */
  readonly restrictedSteps?: readonly string[];
  /** The document as JSON, if reading the file would give another document or take many times as long. */
  readonly json?: string;
}

/** A specification with overlays and the same without them are two; so are those of two services. */
export const specKey = (source: string, overlays: readonly string[], service?: GraphService): string =>
  [source, ...overlays, ...(service ? [JSON.stringify(service)] : [])].join(" + ");
