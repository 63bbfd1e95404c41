import type { Seo } from "../config/index.js";
import type { PagePlan } from "../site.js";
import type { PageFacts } from "./page-facts.js";

/** Where a page stands, all its mentions in the navigation taken together. */
export interface Standing {
  readonly listed: boolean;
  /** Every mention is below a hidden container that is not `searchable`. */
  readonly excluded: boolean;
  /** Every mention is below a container with `searchable: false`. */
  readonly unsearchable: boolean;
}

/** Decides what finds a page: FORMAT 6.1. A page's own `hidden: true` goes before its containers, `noindex` before all. */
export function inclusionOf(
  facts: PageFacts,
  standing: Standing,
  indexing: Seo["indexing"],
): Pick<PagePlan, "indexed" | "searchable" | "noindex"> {
  const hidden = facts.hidden ?? standing.excluded;
  const found = indexing === "all" || (standing.listed && !hidden);
  const indexed = found && !facts.noindex;
  return {
    indexed: indexed && !facts.restricted,
    searchable: indexed && (facts.searchable ?? !standing.unsearchable),
    noindex: facts.noindex || (hidden && indexing !== "all"),
  };
}
