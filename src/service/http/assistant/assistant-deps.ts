import { createShareTurn } from "../../../lib/share-turn.js";
import type { LimitCounter, TurnWriter } from "../../assistant/index.js";
import type { AccountStore, ApiKey, Project, ThreadStore } from "../../jobs/index.js";
import type { Assistant } from "../public-types.js";
import type { AssistantMetrics } from "./assistant-metrics.js";

export interface AssistantDeps extends Assistant {
  readonly accounts: AssistantAccounts;
  readonly threads: ThreadStore;
  readonly counter: LimitCounter;
  readonly writer: TurnWriter;
  readonly metrics?: AssistantMetrics;
  readonly now: () => number;
  /** Called with an unexpected error while an answer is sent. */
  readonly onFault: (requestId: string, error: unknown) => void;
  readonly keepAliveMs?: number;
}

type AssistantAccounts = Pick<AccountStore, "findKey" | "markKeyUsed" | "projectByName">;

/**
 * Reads a key or site once for all requests of one turn of the event loop. The next turn reads it again, so that revoking
 * a key takes effect at once.
 */
export function shareReads(accounts: AssistantAccounts): AssistantAccounts {
  const keys = createShareTurn<ApiKey | undefined>();
  const projects = createShareTurn<Project | undefined>();
  const marks = createShareTurn<void>();
  return {
    findKey: (secret) => keys(secret, () => accounts.findKey(secret)),
    markKeyUsed: (key) => marks(key.keyId, () => accounts.markKeyUsed(key)),
    projectByName: (organizationId, name) =>
      projects(`${organizationId} ${name}`, () => accounts.projectByName(organizationId, name)),
  };
}
