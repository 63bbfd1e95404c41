import type { Seo } from "../config/index.js";
import type { PagePlan } from "../site.js";
import type { PageFacts } from "./page-facts.js";

/** All mentions of a page in the navigation together. */
export interface Standing {
  readonly listed: boolean;
  /** Every mention is below a hidden container that is not `searchable`. */
  readonly excluded: boolean;
  /** Every mention is below a container with `searchable: false`. */
  readonly unsearchable: boolean;
}

/** Decides whether search, sitemap and AI outputs include a page. Its own `hidden: true` overrides its containers, `noindex` overrides all. */
export function inclusionOf(
  facts: PageFacts,
  standing: Standing,
  indexing: Seo["indexing"],
): Pick<PagePlan, "indexed" | "searchable" | "noindex"> {
  const hidden = facts.hidden ?? standing.excluded;
  const found = indexing === "all" || (standing.listed && !hidden);
  const indexed = found && !facts.noindex;
  return {
    indexed,
    searchable: indexed && (facts.searchable ?? !standing.unsearchable),
    noindex: facts.noindex || (hidden && indexing !== "all"),
  };
}
