import type { LimitCounter, TurnWriter } from "../../assistant/index.js";
import type { AccountStore, ApiKey, Project, ThreadStore } from "../../jobs/index.js";
import type { Assistant } from "../public-types.js";
import type { AssistantMetrics } from "./assistant-metrics.js";

/** Of a request. */
export const maxBodyBytes = 256 * 1024;

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

/** Resolves with the value of a key. Reads it only if it has not been read within this turn of the event loop. */
type ShareTurn<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>;

/** Of many requests that arrive together, one reads for all. Nothing is cached for the next turn. */
function createShareTurn<Value>(): ShareTurn<Value> {
  const reads = new Map<string, Promise<Value>>();
  return (key, read) => {
    const pending = reads.get(key);
    if (pending !== undefined) return pending;
    if (reads.size === 0) setImmediate(() => reads.clear());
    const value = read();
    reads.set(key, value);
    return value;
  };
}
