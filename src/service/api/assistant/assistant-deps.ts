import type { LimitCounter, TurnWriter } from "../../assistant/index.js";
import type { AccountStore, ThreadStore } from "../../jobs/index.js";
import type { Assistant } from "./assistant.js";
import type { AssistantMetrics } from "./assistant-metrics.js";

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
