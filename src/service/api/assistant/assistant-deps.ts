import type { LimitCounter, TurnWriter } from "../../assistant/index.js";
import type { ThreadStore } from "../../jobs/index.js";
import type { Assistant } from "./assistant.js";
import type { AssistantMetrics } from "./assistant-metrics.js";
import type { AssistantAccounts } from "./share-reads.js";

export interface AssistantDeps extends Assistant {
  readonly accounts: AssistantAccounts;
  readonly threads: ThreadStore;
  readonly counter: LimitCounter;
  readonly writer: TurnWriter;
  readonly metrics?: AssistantMetrics;
  readonly now: () => number;
  /** An unexpected error while an answer was sent. */
  readonly onFault: (requestId: string, error: unknown) => void;
  readonly keepAliveMs?: number;
}
