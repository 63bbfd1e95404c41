import { createShareTurn } from "../../../lib/share-turn.js";
import type { Answerer, LimitCounter, SiteIndexes, TurnWriter } from "../../assistant/index.js";
import type { AccountStore, ApiKey, Project, ThreadStore } from "../../jobs/index.js";
import type { AssistantMetrics } from "./assistant-metrics.js";

/** What answers questions. Without it the routes of the assistant do not exist. */
export interface Assistant {
  readonly indexes: SiteIndexes;
  readonly answerer: Answerer;
}

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

type AssistantAccounts = Pick<AccountStore, "findKey" | "markKeyUsed" | "projectByName">;

/**
 * Requests that arrive together read their key and their site once. The next turn of the event loop reads them again, so
 * that revoking a key takes effect at once.
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
