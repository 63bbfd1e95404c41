import type { AccountStore, ApiKey, NewApiKey } from "./jobs/index.js";

const keysPerHour = 10;
const hourMs = 60 * 60_000;

/** An organization makes so many keys an hour and no more: a stolen session cannot make them by the thousand. */
export class TooManyKeysError extends Error {
  override readonly name = "TooManyKeysError";
}

/** @throws {TooManyKeysError} if the organization has made its keys of this hour. */
export async function createKey(
  accounts: AccountStore,
  key: NewApiKey,
): Promise<{ readonly key: ApiKey; readonly secret: string }> {
  const { count, resetsAt } = await accounts.countUse(`keys:${key.organizationId}`, hourMs);
  if (count > keysPerHour)
    throw new TooManyKeysError(
      `An organization may make ${keysPerHour} keys an hour; the next one at ${resetsAt.toISOString()}.`,
    );
  return accounts.createKey(key);
}
