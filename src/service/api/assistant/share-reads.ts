import { createShareTurn } from "../../../lib/share-turn.js";
import type { AccountStore, ApiKey, Project } from "../../jobs/index.js";

export type AssistantAccounts = Pick<AccountStore, "findKey" | "markKeyUsed" | "projectByName">;

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
