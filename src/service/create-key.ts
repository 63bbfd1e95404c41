import type { AccountStore, ApiKey, NewApiKey } from "./jobs/index.js";

const keysPerHour = 10;
const hourMs = 60 * 60_000;

/** The limit keeps a stolen session from creating thousands of keys. */
export class TooManyKeysError extends Error {
  override readonly name = "TooManyKeysError";
}

/** @throws {TooManyKeysError} if the organization has reached the limit of this hour. */
export async function createKey(
  accounts: AccountStore,
  key: NewApiKey,
): Promise<{ readonly key: ApiKey; readonly secret: string }> {
  const { useId, resetsAt } = await accounts.countUse(`keys:${key.organizationId}`, keysPerHour, hourMs);
  if (useId === undefined)
    throw new TooManyKeysError(
      `An organization may create ${keysPerHour} keys an hour. Try again at ${resetsAt.toISOString()}.`,
    );
  return accounts.createKey(key);
}
