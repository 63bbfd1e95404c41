import type { Answerer, LimitCounter, SiteIndexes, TurnWriter } from "../../assistant/index.js";
import type { AccountStore, ThreadStore } from "../../jobs/index.js";
import type { AssistantMetrics } from "./assistant-metrics.js";

/** What answers questions; without it the routes of the assistant do not exist. */
export interface Assistant {
  readonly indexes: SiteIndexes;
  readonly answerer: Answerer;
}

export interface AssistantDeps extends Assistant {
  readonly accounts: AccountStore;
  readonly threads: ThreadStore;
  readonly counter: LimitCounter;
  readonly writer: TurnWriter;
  readonly metrics?: AssistantMetrics;
  readonly now: () => number;
  /** An unexpected error while an answer was sent. */
  readonly onFault: (requestId: string, error: unknown) => void;
  readonly keepAliveMs?: number;
}
