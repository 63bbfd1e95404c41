import type { Answerer, SiteIndexes } from "../../assistant/index.js";

/** What answers questions; without it the routes of the assistant do not exist. */
export interface Assistant {
  readonly indexes: SiteIndexes;
  readonly answerer: Answerer;
}
